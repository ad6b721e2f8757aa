/** A table of cells that are Markdown already, except for what would end a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** Prose that holds code in backticks: `<` outside of them would begin an HTML tag. */
export function prose(text: string): string {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? part.replaceAll("<", "\\<") : part))
    .join("`");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}
