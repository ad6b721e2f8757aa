/** An example as a shell would split it: at spaces, but not inside double quotes. */
export function typedWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
