/** Of a tenant whose administrator has set none: nothing is spent that nobody allowed. */
export const defaultLimitMicros = 0n;
