import { parseArgs } from "node:util";
import { Failure } from "@svc/machine/failure";
import { userAgent } from "@svc/machine/network/user-agent";
import { exitCode } from "@svc/protocol/exit-code";
import { chooseArtifact } from "@svc/releases/choose-artifact";
import { downloadArtifact } from "@svc/releases/download-artifact";
import { findRelease, refusing } from "@svc/releases/find-release";
import { installRelease } from "@svc/releases/install-release";
import { type Installation, locate, refuseForeign } from "@svc/releases/installation";
import { isOlder } from "@svc/releases/is-older";
import type { Platform } from "@svc/releases/release-files";
import type { ReleaseSource } from "@svc/releases/release-source";
import { rollBack } from "@svc/releases/roll-back";
import { readableBytes } from "@svc/rendering/readable-bytes";
import { safeJson } from "@svc/rendering/safe-json";
import { toTerminalText } from "@svc/rendering/terminal-text";
import { build } from "../build.ts";
import type { Invocation } from "../invocation.ts";
import { localOptions } from "../local-options.ts";
import type { LocalVerb } from "../local-verb.ts";
import type { ProgressLine } from "../progress-line.ts";
import { releaseSource } from "../release-source.ts";

const help = `svc update [--check | --rollback] [--allow-older] [--format json]

Replaces svc with its latest release, after checking signatures, size and digest.
The previous version is kept next to it as svc.prev.

  --check        Only check for a newer release
  --rollback     Swap svc and svc.prev; run it twice to get back
  --allow-older  Also install an older release, if the publisher went back to one`;

interface Outcome {
  outcome: "current" | "available" | "older" | "updated" | "rolledBack";
  from: string;
  to: string;
  path: string;
}

export const update: LocalVerb = {
  help,
  async run(invocation, progress) {
    const options = readOptions(invocation.typed);
    const installation = locate("svc", process.execPath);
    const outcome = options.rollback
      ? await goBack(invocation, installation)
      : await goForward(invocation, installation, options, progress);
    await progress.clear();
    const text = options.format === "json" ? safeJson(outcome) : toTerminalText(sentence(outcome));
    await invocation.terminal.out(`${text}\n`);
    return exitCode.done;
  },
};

function readOptions(typed: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const { values } = localOptions(() =>
    parseArgs({
      args: [...typed],
      options: { check: flag, rollback: flag, "allow-older": flag, format: { type: "string" } },
    }),
  );
  if (values.rollback && (values.check || values["allow-older"]))
    throw new Failure("usage", "--rollback cannot be combined with --check or --allow-older.");
  return values;
}

async function goForward(
  { environment, signal, terminal }: Invocation,
  installation: Installation,
  options: ReturnType<typeof readOptions>,
  progress: ProgressLine,
): Promise<Outcome> {
  const source = requireSource();
  const { folder, release } = await findRelease(source, environment, signal);
  const { version: from } = build;
  const { path } = installation;
  // --check reports it; only an update is refused.
  if (options.check && isOlder(release.version, from)) {
    return { outcome: "older", from, to: release.version, path };
  }
  const allowOlder = options["allow-older"];
  const artifact = refusing(() => chooseArtifact(release, platform(), from, { allowOlder }));
  if (artifact === undefined) return { outcome: "current", from, to: from, path };
  const found = { from, to: release.version, path };
  if (options.check) return { outcome: "available", ...found };
  refuseForeign(installation);
  const size = readableBytes(artifact.size);
  await terminal.error(toTerminalText(`Replacing ${path}: svc ${from} with ${release.version} (${size})\n`));
  const receive = (place: string) => {
    const step = {
      label: "Receiving",
      subject: `svc ${release.version}`,
      total: artifact.size,
      unit: "bytes",
    };
    return downloadArtifact(
      new URL(artifact.url, folder),
      artifact,
      place,
      userAgent(source.product, source.version),
      signal,
      (done) => progress.show({ ...step, done }),
    );
  };
  await installRelease(installation, release.version, receive);
  return { outcome: "updated", ...found };
}

async function goBack({ environment }: Invocation, installation: Installation): Promise<Outcome> {
  const to = await rollBack(requireSource(), environment, installation);
  return { outcome: "rolledBack", from: build.version, to, path: installation.path };
}

function sentence({ outcome, from, to, path }: Outcome): string {
  switch (outcome) {
    case "current":
      return `svc ${from} is the latest release.`;
    case "available":
      return `svc ${to} is available; this is ${from}. Install it: svc update`;
    case "older":
      return `The release is svc ${to}, older than this ${from}. To go back to it: svc update --allow-older`;
    case "updated":
      return `${path} is now svc ${to}. To go back to ${from}: svc update --rollback`;
    case "rolledBack":
      return `${path} is svc ${to} again. To return to ${from}: svc update --rollback`;
  }
}

function requireSource(): ReleaseSource {
  const source = releaseSource();
  if (source) return source;
  throw new Failure("usage", "This build of svc has no release address.", {
    hint: "Get a new version where you got this one.",
  });
}

function platform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const base = { os, arch: process.arch } as Platform;
  return os === "linux" ? { ...base, libc: build.libc ?? "glibc" } : base;
}
