/** Help for the verbs that run on this machine, shown with the server's help. */
export function localHelp(): string {
  return `This machine  login logout use doctor update mount unmount (<verb> --help)
Everywhere    --workspace --dry-run --format json|table|tsv --fields a,b.c
              --output PATH --force --version`;
}
