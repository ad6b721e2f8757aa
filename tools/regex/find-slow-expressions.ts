import type { FoundExpression } from "./find-expressions.ts";
import { judgeExpression } from "./judge-expression.ts";
import type { RegexException } from "./regex-exceptions.ts";

/** Problems, one line each: slow expressions without an exception, and unneeded exceptions. */
export async function findSlowExpressions(
  found: readonly FoundExpression[],
  exceptions: readonly RegexException[],
): Promise<string[]> {
  const slow = (await Promise.all(found.map(complaintOf))).filter((one) => one !== undefined);
  const unexplained = slow.filter(({ expression }) => !exceptions.some((one) => isAbout(one, expression)));
  const needless = exceptions.filter((one) => !slow.some(({ expression }) => isAbout(one, expression)));
  return [
    ...unexplained.map(
      ({ expression: { file, line, written }, complaint }) => `${file}:${line}: ${written} ${complaint}`,
    ),
    ...needless.map(({ file, written }) => `${file}: ${written} needs no exception any more`),
  ];
}

async function complaintOf(expression: FoundExpression) {
  const complaint = expression.expression
    ? await judgeExpression(expression.expression.source, expression.expression.flags)
    : "is not constant, so it cannot be judged";
  return complaint === undefined ? undefined : { expression, complaint };
}

function isAbout(exception: RegexException, { file, written }: FoundExpression): boolean {
  return exception.file === file && exception.written === written;
}
