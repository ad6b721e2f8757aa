import { spawnSync } from "node:child_process";

/**
 * The archive that this machine's apt uses for Debian itself: not the security archive, nor a third party's.
 * Needs downloaded package lists, because origin and label are read from them.
 */
export function findDebianArchive(): string | undefined {
  const filters = ["Created-By: Packages", "Origin: Debian", "Label: Debian"];
  const targets = spawnSync("apt-get", ["indextargets", "--format", "$(REPO_URI)", ...filters], {
    encoding: "utf8",
  });
  return targets.stdout?.split("\n").find((line) => line !== "");
}
