import { Failure } from "@svc/machine/failure";
import type { Invocation } from "../invocation.ts";
import { type Credential, environmentCredential } from "./credential.ts";
import type { Profile } from "./login.ts";

/** The environment's token, otherwise the stored login. */
export async function findCredential(
  profile: Profile,
  { environment, signal }: Pick<Invocation, "environment" | "signal">,
): Promise<Credential> {
  const { SVC_SA_TOKEN: token } = environment;
  if (token) return environmentCredential(token);
  // Not loaded for an environment token: it touches neither disk nor keychain.
  const [{ LoginStore }, { LoginCredential }] = await Promise.all([
    import("./login-store.ts"),
    import("./login-credential.ts"),
  ]);
  const store = new LoginStore(profile, environment, signal);
  const login = await store.read();
  if (login) return new LoginCredential(login, store);
  throw new Failure("notLoggedIn", `You are not logged in to ${profile.baseUrl.host}.`, {
    hint: "Run svc login, or set SVC_SA_TOKEN to a service-account token.",
  });
}
