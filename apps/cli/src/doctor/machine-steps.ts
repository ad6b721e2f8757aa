import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Failure } from "@svc/machine/failure";
import { stateFolder } from "@svc/machine/files/state-file";
import { findRelease } from "@svc/releases/find-release";
import { isOlder } from "@svc/releases/is-older";
import { findAgent } from "../agent/find-agent.ts";
import { build } from "../build.ts";
import { shownValue, variables } from "../environment.ts";
import { releaseSource } from "../release-source.ts";
import { type Examination, lookMillis, withinLook } from "./examination.ts";
import { fail, pass, type Step, skip, warn } from "./step.ts";

/** What svc stores, and who else may read it. */
export const config: Step<Examination> = {
  id: "config",
  async look({ invocation: { environment } }) {
    const folder = stateFolder(environment);
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => error);
    if (names instanceof Error) {
      if (names.code === "ENOENT") return pass(`${folder} does not exist yet`);
      return fail(
        `${folder} cannot be read: ${names.code}`,
        `Give it back to yourself: chown -R "$USER" '${folder}'`,
      );
    }
    for (const path of [folder, ...names.map((name) => join(folder, name))]) {
      const { mode } = await stat(path);
      if (process.platform !== "win32" && (mode & 0o077) !== 0) {
        return fail(`others may read ${path}`, `chmod ${path === folder ? "700" : "600"} '${path}'`);
      }
    }
    return pass(`${folder}, readable only by you`);
  },
};

export const environment: Step<Examination> = {
  id: "environment",
  look({ invocation, baseUrl }) {
    const set = variables.flatMap((variable) => {
      const value = shownValue(variable, invocation.environment[variable.name]);
      return value === undefined ? [] : [`${variable.name}=${value}`];
    });
    if ("failure" in baseUrl)
      return fail(baseUrl.failure.message, baseUrl.failure.hint ?? "Set SVC_BASE_URL.");
    return pass(set.length === 0 ? `nothing set; the service is ${baseUrl.value.origin}` : set.join(", "));
  },
};

export const agent: Step<Examination> = {
  id: "agent",
  async look({ invocation }) {
    const found = findAgent(invocation.environment);
    if (!found)
      return warn("svc-agent is neither next to svc nor on PATH", "Install it if you want to mount files.");
    if (!found.isExecutable) return fail(`${found.path} is not executable`, `chmod +x '${found.path}'`);
    try {
      const { stdout } = await promisify(execFile)(found.path, ["--version"], { timeout: lookMillis });
      return pass(`${found.path}, ${stdout.trim().split("\n", 1).join("") || "version unknown"}`);
    } catch (error) {
      return fail(
        `${found.path} does not say its version: ${(error as Error).message}`,
        "Reinstall svc-agent.",
      );
    }
  },
};

export const updates: Step<Examination> = {
  id: "updates",
  async look({ invocation: { environment, signal } }) {
    const source = releaseSource();
    if (!source) return skip("this build has no release address");
    try {
      const found = findRelease(source, environment, signal);
      const { release } = await withinLook(found, "No answer in time.");
      if (!isOlder(build.version, release.version)) return pass(`svc ${build.version} is the latest`);
      return warn(`svc ${release.version} is available; this is ${build.version}`, "svc update");
    } catch (error) {
      const { kind, message } = error as Failure;
      if (kind === "updateRefused")
        return fail(message, "Do not install anything from there. Tell the operator of the service.");
      return warn(message, "You can keep working; only svc update needs it.");
    }
  },
};
