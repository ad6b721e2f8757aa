/** What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection), behind any number of our own marks. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A cell of text that no spreadsheet runs. A text that already looks marked gets a mark too, so that each is read back. */
export function withoutFormula(text: string): string {
  // guard: exports-run-nothing
  return formula.test(text) ? `'${text}` : text;
}

export function withFormula(cell: string): string {
  // guard: marks-are-read-back
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
