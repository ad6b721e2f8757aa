/** Help for the verbs that run on this machine, shown with the server's help. */
export function localHelp(): string {
  return `On this machine:
  login                     Log in with your browser
  logout                    Log out here and at the identity provider
  use [workspace | -]       Select a workspace, go back to the last one, or show the current one
  doctor                    Check each step between this machine and the service
  mount, unmount            Run svc-agent
  update [--rollback]       Update svc to the latest release, or go back
  --version                 Print the version

With every command:
  --format json|table|tsv   Choose the output format
  --fields a,b.c            Show only these fields
  --output PATH             Save to a file or folder, or - for standard output
  --force                   Let a download replace files that are there`;
}
