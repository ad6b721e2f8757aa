import manifest from "../../../package.json" with { type: "json" };

export const serverVersion: string = manifest.version;

/** Older clients are told to update; raise it only for a change that they cannot handle. */
export const minimumClient = "0.1.0";
