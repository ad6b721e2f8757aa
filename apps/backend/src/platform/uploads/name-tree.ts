/**
 * A name in a folder, and what is in it. Each name is kept once: paths that are spelled out for every folder above them
 * would cost the square of their depth.
 */
export class NameNode {
  readonly name: string;
  readonly parent: NameNode | undefined;
  #children: Map<string, NameNode> | undefined;

  constructor(name = "", parent?: NameNode) {
    this.name = name;
    this.parent = parent;
  }

  child(name: string): NameNode | undefined {
    return this.#children?.get(name);
  }

  /** The same one every time. */
  add(name: string): NameNode {
    this.#children ??= new Map();
    const known = this.#children.get(name);
    if (known) return known;
    const added = new NameNode(name, this);
    this.#children.set(name, added);
    return added;
  }

  /** What names lead to from here; undefined if nothing has that path. */
  find(names: readonly string[]): NameNode | undefined {
    let found: NameNode | undefined = this;
    for (const name of names) found = found?.child(name);
    return found;
  }

  addAll(names: readonly string[]): NameNode {
    return names.reduce<NameNode>((above, name) => above.add(name), this);
  }

  /** From the top, which has no name itself. */
  get names(): string[] {
    const names: string[] = [];
    for (let node: NameNode = this; node.parent; node = node.parent) names.push(node.name);
    return names.reverse();
  }

  /** Everything below by depth: those above first. */
  *levels(): Generator<NameNode[]> {
    for (let level = this.#below(); level.length > 0; level = level.flatMap((node) => node.#below()))
      yield level;
  }

  #below(): NameNode[] {
    return [...(this.#children?.values() ?? [])];
  }
}
