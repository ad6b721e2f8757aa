import { Failure } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import { safeJson } from "@svc/rendering/safe-json";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Login, Profile } from "../credentials/login.ts";
import { LoginCredential } from "../credentials/login-credential.ts";
import { LoginStore } from "../credentials/login-store.ts";
import { chooseProfile } from "../credentials/profile.ts";
import type { Invocation } from "../invocation.ts";
import { Refusal, Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";

/** Stores the login and asks the service whose it is. */
export async function enter(
  login: Login,
  profile: Profile,
  { terminal, environment, signal }: Invocation,
  progress: ProgressLine,
  asJson: boolean,
): Promise<number> {
  // Before anything else can fail: nobody should have to approve a login twice.
  const { baseUrl, name } = profile;
  const store = new LoginStore(profile, environment, signal);
  const place = await store.keep(login);
  const credential = new LoginCredential(login, store);
  const service = new Service({
    baseUrl,
    credential,
    environment,
    signal,
    onWait: (...why) => progress.wait(...why),
  });
  const context = await service.context().catch((error: unknown) => {
    throw isUnknownHere(error) ? unknownHere(login, baseUrl) : error;
  });
  await progress.clear();
  if (profile.isTyped) await chooseProfile(profile, environment);
  const { actor, tenant } = context;
  const { host } = baseUrl;
  if (asJson) await terminal.out(`${safeJson({ actor, tenant, host, keptIn: place, profile: name })}\n`);
  else {
    const who = actor.email === undefined ? actor.name : `${actor.name} <${actor.email}>`;
    const text = `Logged in as ${who} at ${tenant.name} (${host}${name ? `, profile ${name}` : ""}). The login is stored in ${place}.`;
    await terminal.out(`${toTerminalLine(text)}\n`);
  }
  return exitCode.done;
}

function isUnknownHere(error: unknown): boolean {
  return error instanceof Refusal && error.problem.status === 401;
}

function unknownHere({ provider }: Login, { host }: URL): Failure {
  return new Failure("notPermitted", `${provider.domain} knows you, but you have no access to ${host}.`, {
    hint: "Ask an administrator of your tenant for access. The login is stored; svc logout removes it.",
  });
}
