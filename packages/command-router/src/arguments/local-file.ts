import { z } from "zod";

interface LocalFileOptions {
  /** Also accepts a folder, with everything in it. */
  acceptsFolder?: boolean;
  /** The command needs its text, which is read before the transaction begins: a hostile document may take long. */
  readsText?: boolean;
}

/** An argument that names a file on the caller's machine. The value stays the path as typed; its content is staged. */
export function localFile(description: string, options: LocalFileOptions = {}) {
  return z
    .string()
    .min(1)
    .meta({ description, localFile: true, ...options });
}
