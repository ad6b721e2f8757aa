/** What a person may call a login. No space: stored keys put the service's origin before it. */
export const profileName = /^[a-z0-9][a-z0-9-]{0,63}$/;
