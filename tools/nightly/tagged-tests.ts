import ts from "typescript";

export interface TaggedTest {
  file: string;
  line: number;
  tags: readonly string[];
  /** The comment above it, without the slashes. */
  comment: string;
}

/** Every test and group of a file whose options have one of these tags. */
export function findTaggedTests(file: string, content: string, wanted: readonly string[]): TaggedTest[] {
  // Few files name any, and parsing takes longer than looking.
  if (!wanted.some((tag) => content.includes(tag))) return [];
  const tree = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: TaggedTest[] = [];
  visit(tree);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isPropertyAssignment(node) && node.name.getText() === "tags") add(node, node.initializer);
    ts.forEachChild(node, visit);
  }

  function add(node: ts.Node, value: ts.Expression): void {
    const elements: readonly ts.Expression[] = ts.isArrayLiteralExpression(value) ? value.elements : [value];
    const tags = elements.filter(ts.isStringLiteralLike).map(({ text }) => text);
    if (!tags.some((tag) => wanted.includes(tag))) return;
    const statement = statementOf(node);
    const line = tree.getLineAndCharacterOfPosition(statement.getStart()).line + 1;
    found.push({ file, line, tags, comment: commentAbove(statement, content) });
  }
}

function statementOf(node: ts.Node): ts.Node {
  return ts.isStatement(node) ? node : statementOf(node.parent);
}

function commentAbove(statement: ts.Node, content: string): string {
  return (ts.getLeadingCommentRanges(content, statement.getFullStart()) ?? [])
    .map(({ pos, end }) => content.slice(pos, end).replace(/^\/\/ ?/, ""))
    .join("\n");
}
