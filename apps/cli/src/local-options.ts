import { Failure } from "@svc/machine/failure";

/** Reads the words after a local verb; what the platform's parser has to say becomes a message like any other. */
export function localOptions<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("ERR_PARSE_ARGS")) throw error;
    throw new Failure("usage", message.split(". ")[0] ?? message, {
      hint: "Add --help to see what there is.",
      cause: error,
    });
  }
}
