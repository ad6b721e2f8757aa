import { parseArgs } from "node:util";
import { Failure } from "@svc/machine/failure";
import { exitCode } from "@svc/protocol/exit-code";
import { toTerminalText } from "@svc/rendering/terminal-text";
import type { Login } from "../credentials/login.ts";
import { LoginStore } from "../credentials/login-store.ts";
import { findProfile } from "../credentials/profile.ts";
import { localOptions } from "../local-options.ts";
import type { LocalVerb } from "../local-verb.ts";
import { PendingLogin } from "../login/pending-login.ts";

const help = `svc logout [--profile name]

Removes the login of the present profile, or of that one, from this machine and revokes it at the identity provider.`;

export const logout: LocalVerb = {
  help,
  async run({ typed, terminal, environment, signal }) {
    const options = { profile: { type: "string" } } as const;
    const { values } = localOptions(() => parseArgs({ args: [...typed], options }));
    const profile = await findProfile(environment, { typed: values.profile });
    const { baseUrl, name } = profile;
    const where = name ? `${baseUrl.host}, profile ${name}` : baseUrl.host;
    await new PendingLogin(profile, environment).remove();
    // First on this machine: a login that another process renews meanwhile would outlive its revocation.
    const forgotten = await new LoginStore(profile, environment, signal).forget();
    if (!forgotten) {
      await terminal.out(`You were not logged in to ${where}.\n`);
    } else {
      const trouble = await revoke(forgotten.login, signal);
      const isRevoked = trouble === undefined;
      await terminal.out(
        `Logged out of ${where}: the login was removed from this machine${isRevoked ? " and revoked" : ""}.\n`,
      );
      if (!isRevoked) {
        await terminal.error(
          `warning: the login was not revoked at the identity provider. ${toTerminalText(trouble)}\n`,
        );
      }
    }
    if (environment.SVC_SA_TOKEN) await terminal.error("note: SVC_SA_TOKEN is set, and svc still uses it\n");
    return signal.aborted ? exitCode.interrupted : exitCode.done;
  },
};

/** Why it could not be revoked; undefined if it was. */
async function revoke(login: Login | undefined, signal: AbortSignal): Promise<string | undefined> {
  if (login === undefined) return "It was no longer in the keychain.";
  if (login.refreshToken === undefined) return "It ends when its access token expires.";
  const { IdentityProvider } = await import("../login/identity-provider.ts");
  try {
    const provider = await IdentityProvider.discover(login.provider, signal);
    await provider.revoke(login.refreshToken);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
