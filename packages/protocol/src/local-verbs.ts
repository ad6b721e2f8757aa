/** Words that the client runs on its own machine. No group or alias of the server may take one: nobody could type it. */
export const localVerbNames = ["doctor", "login", "logout", "mount", "unmount", "update", "use"] as const;

export type LocalVerbName = (typeof localVerbNames)[number];
