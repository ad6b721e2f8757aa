import { z } from "zod";

/** An argument that names a file on the caller's machine. The value stays the path as typed; its content is staged. */
export function localFile(description: string) {
  return z.string().min(1).meta({ description, localFile: true });
}
