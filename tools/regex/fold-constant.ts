import ts from "typescript";

/** The text of an expression that is constant within its file, undefined for all others. */
export function foldConstant(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) return foldTemplate(node, ({ text }) => text);
  if (ts.isTaggedTemplateExpression(node)) return foldRawTemplate(node);
  if (ts.isIdentifier(node)) return foldName(node);
  if (ts.isCallExpression(node)) return foldJoin(node);
  return undefined;
}

type TemplatePart = ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

function foldTemplate(
  { head, templateSpans }: ts.TemplateExpression,
  textOf: (part: TemplatePart) => string,
): string | undefined {
  let text = textOf(head);
  for (const { expression, literal } of templateSpans) {
    const value = foldConstant(expression);
    if (value === undefined) return undefined;
    text += value + textOf(literal);
  }
  return text;
}

/** Only String.raw: the result of another tag is unknown here. */
function foldRawTemplate({ tag, template }: ts.TaggedTemplateExpression): string | undefined {
  if (tag.getText() !== "String.raw") return undefined;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? "";
  return foldTemplate(template, (part) => part.rawText ?? "");
}

/** A name that the file declares once, at its top level, with `const`. */
function foldName(name: ts.Identifier): string | undefined {
  const lists = name
    .getSourceFile()
    .statements.filter(ts.isVariableStatement)
    .map(({ declarationList }) => declarationList)
    .filter(({ flags }) => flags & ts.NodeFlags.Const);
  const declared = lists
    .flatMap(({ declarations }) => declarations)
    .find((declaration) => declaration.name.getText() === name.text);
  return declared?.initializer && foldConstant(declared.initializer);
}

/** `["a", "b"].join("|")` */
function foldJoin({ expression, arguments: [separator] }: ts.CallExpression): string | undefined {
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== "join" || !separator)
    return undefined;
  if (!ts.isArrayLiteralExpression(expression.expression)) return undefined;
  const parts = expression.expression.elements.map(foldConstant);
  const between = foldConstant(separator);
  return parts.includes(undefined) || between === undefined ? undefined : parts.join(between);
}
