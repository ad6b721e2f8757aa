/** What was given up and cannot be stopped: it must not keep the process from ending. */
export const abandonedWork = { exists: false };
