/** The limit of a tenant whose administrator has set none: nothing is spent without permission. */
export const defaultLimitMicros = 0n;
