import manifest from "../../../package.json" with { type: "json" };

export const serverVersion: string = manifest.version;

/** Older clients are told to update; raise it only with a change that they cannot cope with. */
export const minimumClient = "0.1.0";
