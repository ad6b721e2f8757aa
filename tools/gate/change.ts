import { spawnSync } from "node:child_process";

export interface Base {
  commit: string;
  /** Which commit that is, for people. */
  name: string;
}

/**
 * The commit that a change is compared with: SVC_BASE, else the merge base with the remote's main, unless that is what is
 * checked out, else the newest commit older than a day. None if there is none, as in a shallow clone.
 */
export function findBase({
  given = "",
  folder = ".",
}: {
  given?: string | undefined;
  folder?: string;
}): Base | undefined {
  const run = (...args: string[]) => git(folder, ...args);
  const head = run("rev-parse", "HEAD");
  if (given) {
    const commit = run("rev-parse", "--verify", "--quiet", `${given}^{commit}`);
    if (commit === undefined) throw new Error(`SVC_BASE names no commit: ${given}`);
    return { commit, name: "SVC_BASE" };
  }
  const remote = run("merge-base", "refs/remotes/origin/main", "HEAD");
  if (remote !== undefined && remote !== head) return { commit: remote, name: "the remote's main" };
  const old = run("rev-list", "-1", "--before=1 day ago", "HEAD");
  return old ? { commit: old, name: "the newest commit older than a day" } : undefined;
}

/** Where this branch left another. */
export function mergeBase(branch: string): string | undefined {
  return git(".", "merge-base", branch, "HEAD");
}

/** Files that differ from a commit, committed or not; a renamed one under both names. */
export function changedSince(commit: string, folder = "."): string[] {
  const names = [
    git(folder, "diff", "--name-only", "--no-renames", commit),
    git(folder, "ls-files", "--others", "--exclude-standard"),
  ];
  return names.flatMap((text) => (text ?? "").split("\n")).filter((name) => name !== "");
}

/** A file as it was then; undefined if it did not exist. */
export function fileAt(commit: string, path: string, folder = "."): string | undefined {
  return git(folder, "show", `${commit}:${path}`);
}

/** What git prints, without the newline at its end; undefined if it fails. */
function git(cwd: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: 64 * 2 ** 20 });
  return status === 0 ? stdout.replace(/\n$/, "") : undefined;
}
