import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createScratchFolder } from "../../bench/scratch-folder.ts";

const suite = "node_modules/@modelcontextprotocol/conformance";

export interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

/** The checks of every scenario that a revision of the protocol requires of a server. */
export async function runSuite(url: string, revision: string): Promise<Map<string, Check[]>> {
  await using folder = await createScratchFolder();
  const given = ["server", "--url", url, "--requirements", revision, "--output-dir", folder.path];
  const child = spawn(process.execPath, [join(suite, "dist/index.js"), ...given], { stdio: "ignore" });
  // Its exit code says whether everything passed, also what we do not offer.
  await once(child, "exit");
  const found = readdirSync(folder.path);
  return new Map(
    requiredScenarios(revision).map((scenario) => {
      const prefix = new RegExp(`^(?:server-)?${scenario}-\\d{4}-`);
      const result = found.find((name) => prefix.test(name));
      if (result === undefined) throw new Error(`${scenario} was not run`);
      return [scenario, JSON.parse(readFileSync(join(folder.path, result, "checks.json"), "utf8"))];
    }),
  );
}

function requiredScenarios(revision: string): string[] {
  const yaml = readFileSync(join(suite, "requirements", `${revision}.yaml`), "utf8");
  const [, list = ""] = /^server:\n((?: {2}- .+\n)+)/m.exec(yaml) ?? [];
  return list.split("\n").flatMap((line) => /^ {2}- (\S+)$/.exec(line)?.slice(1) ?? []);
}
