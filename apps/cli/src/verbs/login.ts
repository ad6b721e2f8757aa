import { parseArgs } from "node:util";
import { Failure } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import { safeJson } from "@svc/rendering/safe-json";
import { build } from "../build.ts";
import type { Profile, Provider } from "../credentials/login.ts";
import { findProfile, unnamed } from "../credentials/profile.ts";
import type { Invocation } from "../invocation.ts";
import { localOptions } from "../local-options.ts";
import type { LocalVerb } from "../local-verb.ts";
import { enter } from "../login/enter.ts";
import { IdentityProvider } from "../login/identity-provider.ts";
import { PendingLogin } from "../login/pending-login.ts";
import { requestCode } from "../login/request-code.ts";
import { showCode } from "../login/show-code.ts";
import { waitForApproval } from "../login/wait-for-approval.ts";
import type { ProgressLine } from "../progress-line.ts";

const help = `svc login [--profile name] [--no-wait | --resume] [--format json]

Logs you in with a browser: on this machine, or on any other where you enter the code.
The login is stored in the keychain or, without a keychain, in a file that only you can read.

  --profile   Give the login a name and switch to it: for several accounts or services.
              svc use @name switches between them, @${unnamed} is the one without a name.
  --no-wait   Print the address and the code as JSON and exit; for programs that show them to a person
  --resume    Wait for the approval of a login started with --no-wait`;

export const login: LocalVerb = {
  help,
  async run(invocation, progress) {
    const { terminal, environment, signal, typed } = invocation;
    const { values } = localOptions(() =>
      parseArgs({
        args: [...typed],
        options: {
          profile: { type: "string" },
          "no-wait": { type: "boolean" },
          resume: { type: "boolean" },
          format: { type: "string" },
        },
      }),
    );
    if (values["no-wait"] && values.resume) {
      throw new Failure("usage", "--no-wait and --resume cannot be combined.");
    }
    const profile = await findProfile(environment, { typed: values.profile, mayBeNew: true });
    if (environment.SVC_SA_TOKEN) {
      await terminal.error("warning: SVC_SA_TOKEN is set and takes precedence over the login\n");
    }
    const asJson = values.format === "json";
    if (values["no-wait"]) return begin(profile, invocation);
    if (values.resume) return resume(profile, invocation, progress, asJson);

    const provider = await IdentityProvider.discover(builtInProvider(), signal);
    const code = await requestCode(provider);
    await showCode(code, invocation);
    const given = await waitForApproval(code, {
      exchange: (deviceCode) => provider.exchange(deviceCode),
      signal,
      say: (text) => progress.say(text),
    });
    return enter(given, profile, invocation, progress, asJson);
  },
};

async function begin(profile: Profile, { terminal, environment, signal }: Invocation): Promise<number> {
  const provider = await IdentityProvider.discover(builtInProvider(), signal);
  const code = await requestCode(provider);
  await new PendingLogin(profile, environment).write({ code, provider: provider.identity });
  const { verificationUri, verificationUriComplete, userCode } = code;
  await terminal.out(
    `${safeJson({
      verificationUri,
      verificationUriComplete,
      userCode,
      expiresAt: new Date(code.expiresAt).toISOString(),
      resume: `svc login --resume${profile.name ? ` --profile ${profile.name}` : ""}`,
    })}\n`,
  );
  return exitCode.done;
}

async function resume(
  profile: Profile,
  invocation: Invocation,
  progress: ProgressLine,
  asJson: boolean,
): Promise<number> {
  const { environment, signal } = invocation;
  const pending = new PendingLogin(profile, environment);
  const begun = await pending.read();
  if (!begun) {
    throw new Failure("notFound", "There is no login to resume.", { hint: "Start one: svc login --no-wait" });
  }
  const provider = await IdentityProvider.discover(begun.provider, signal);
  const waiting = waitForApproval(begun.code, {
    exchange: (deviceCode) => provider.exchange(deviceCode),
    signal,
    say: (text) => progress.say(text),
    asksAtOnce: true,
  });
  const given = await waiting.catch(async (error: unknown) => {
    // After an interruption it can be resumed again; once decided or expired, it cannot.
    if (!signal.aborted) await pending.remove();
    throw error;
  });
  try {
    return await enter(given, profile, invocation, progress, asJson);
  } finally {
    await pending.remove();
  }
}

function builtInProvider(): Provider {
  if (build.provider) return build.provider;
  throw new Failure("usage", "This build of svc has no identity provider to log in with.", {
    hint: "Set SVC_SA_TOKEN to a service-account token.",
  });
}
