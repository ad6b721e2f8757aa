/** What this machine answers itself, beside what the server offers. */
export function localHelp(): string {
  return `On this machine:
  login                     Log in with your browser
  logout                    Forget the login, here and at the identity provider
  use [workspace | -]       Choose a workspace, go back to the last one, or show the present one
  doctor                    Look at each step between this machine and the service
  mount, unmount            Hand over to svc-agent
  update [--rollback]       Replace svc by its latest release, or go back
  --version                 Print the version

With every command:
  --format json|table|tsv   How to show the result
  --fields a,b.c            Which of its fields
  --output PATH             Where to save a file: a file, a folder, or - for standard output`;
}
