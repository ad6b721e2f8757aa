import ts from "typescript";
import { foldConstant } from "./fold-constant.ts";

export interface FoundExpression {
  file: string;
  line: number;
  /** As it is written in the file. */
  written: string;
  /** Absent if its text is known only at run time. */
  expression?: { source: string; flags: string };
}

/** Every regular expression of a file: literals, and arguments of RegExp. */
export function findExpressions(file: string, content: string): FoundExpression[] {
  const tree = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: FoundExpression[] = [];
  visit(tree);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isRegularExpressionLiteral(node)) add(node, splitLiteral(node.text));
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp") {
      add(node, readArguments(node.arguments ?? []));
    }
    ts.forEachChild(node, visit);
  }

  function add(node: ts.Node, expression: FoundExpression["expression"]): void {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ file, line, written: node.getText(), ...(expression ? { expression } : {}) });
  }
}

function splitLiteral(text: string): { source: string; flags: string } {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

function readArguments([pattern, flags]: readonly ts.Expression[]): FoundExpression["expression"] {
  const source = pattern && foldConstant(pattern);
  const letters = flags ? foldConstant(flags) : "";
  return source === undefined || letters === undefined ? undefined : { source, flags: letters };
}
