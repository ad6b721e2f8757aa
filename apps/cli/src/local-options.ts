import { Failure } from "@svc/machine/failure";

/** Reads the words after a local verb; an error of the platform's parser becomes a message like any other. */
export function localOptions<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (!code.startsWith("ERR_PARSE_ARGS")) throw error;
    throw new Failure("usage", message.split(". ")[0] ?? message, {
      hint: "Add --help to see the options.",
      cause: error,
    });
  }
}
