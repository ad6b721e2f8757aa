import { expect, test } from "vitest";
import { errorCodes, errorTable } from "./error-table.ts";
import { Problem, ProblemError } from "./problem.ts";

test.each(errorCodes)("%s becomes a problem that follows RFC 9457 and the table", (code) => {
  const problem = new ProblemError(code, "It happened.").toProblem("req_1");
  expect(Problem.parse(problem)).toEqual({
    type: `urn:svc:problem:${code}`,
    ...errorTable[code],
    code,
    detail: "It happened.",
    requestId: "req_1",
  });
});

test("carries hint and violations if there are any", () => {
  const violations = [{ argument: "--name", message: "is required" }];
  const error = new ProblemError("invalid_arguments", "--name: is required", {
    hint: "See --help.",
    violations,
  });
  expect(Problem.parse(error.toProblem("req_1"))).toMatchObject({ hint: "See --help.", violations });
});

test("keeps its cause for the log and never shows it to a caller", () => {
  const cause = new Error("password authentication failed for user app");
  const error = new ProblemError("unavailable", "The database cannot be reached.", { cause });
  expect(error.cause).toBe(cause);
  expect(JSON.stringify(error.toProblem("req_1"))).not.toContain("password");
  expect(new ProblemError("internal", "It happened.")).not.toHaveProperty("cause");
});

test("is an error with its own name", () => {
  const error = new ProblemError("not_found", "There is no such file.");
  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe("ProblemError: There is no such file.");
});

test("a code that is not in the table is not one of our problems", () => {
  const problem = new ProblemError("internal", "It happened.").toProblem("req_1");
  expect(Problem.safeParse({ ...problem, code: "teapot" }).success).toBe(false);
});
