/** What earlier writes created or named, for later ones to use. Some of it is gone by then, which is also a case. */
export class KnownThings {
  readonly workspaces: string[] = [];
  readonly nodes: string[] = [];
  readonly groups: string[] = [];
  readonly collections: string[] = [];
  readonly records: string[] = [];
  readonly tokens: string[] = [];
  readonly sessions: string[] = [];
  readonly operations: string[] = [];
  readonly approvals: string[] = [];
  readonly questions: string[] = [];
  /** Subjects and grantees of entries, groups and members, which can be revoked or removed. */
  readonly entries: string[] = [];
  readonly members: string[] = [];
  readonly restricted: string[] = [];

  /** From the data of an answer. */
  learn(path: string, argv: readonly string[], data: unknown, operation: string | undefined): void {
    const pair = `${argv[2]} ${argv[3]}`;
    if (path === "access grant") remember(this.entries, pair);
    if (path === "groups add") remember(this.members, pair);
    if (path === "access restrict") remember(this.restricted, argv[2] ?? "");
    const { id } = data as { id?: string };
    if (path === "approvals ask") remember(this.questions, id ?? "");
    const lists: Record<string, string[]> = {
      ws: this.workspaces,
      file: this.nodes,
      fold: this.nodes,
      group: this.groups,
      coll: this.collections,
      rec: this.records,
      cred: this.tokens,
      sess: this.sessions,
    };
    const list = id === undefined ? undefined : lists[id.slice(0, id.indexOf("_"))];
    if (list && id !== undefined && !list.includes(id)) remember(list, id);
    if (operation !== undefined) remember(this.operations, operation);
  }

  /**
   * Forgets what a line named and what exists neither live nor in the trash. Otherwise lists fill up with it, and some
   * commands never succeed.
   */
  forget(argv: readonly string[]): void {
    const gone = new Set([...argv, `${argv[2]} ${argv[3]}`]);
    for (const list of [this.groups, this.tokens, this.sessions, this.entries, this.members])
      drop(list, gone);
  }
}

function drop(list: string[], gone: ReadonlySet<string>): void {
  list.splice(0, list.length, ...list.filter((one) => !gone.has(one)));
}

/** Only the latest: among hundreds, no thing would ever be picked twice. */
function remember(list: string[], id: string): void {
  list.push(id);
  if (list.length > 6) list.shift();
}
