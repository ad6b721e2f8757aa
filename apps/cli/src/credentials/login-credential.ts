import { Failure } from "@svc/machine/failure";
import type { Credential } from "./credential.ts";
import { isFresh, type Login } from "./login.ts";
import type { LoginStore } from "./login-store.ts";

type Refresh = (login: Login, refreshToken: string) => Promise<Login>;

/** The stored login; renewed when it is about to expire or the service says that it has. */
export class LoginCredential implements Credential {
  readonly kind = "login";
  readonly account: string;
  readonly profile: string | undefined;
  readonly #store: LoginStore;
  readonly #refresh: Refresh;
  #login: Login;

  constructor(login: Login, store: LoginStore, refresh: Refresh = refreshAtProvider) {
    this.#login = login;
    this.profile = store.profile;
    // Two profiles of one person may be in two workspaces.
    this.account = this.profile === undefined ? login.account : `${login.account} @${this.profile}`;
    this.#store = store;
    this.#refresh = refresh;
  }

  async token(): Promise<string> {
    return isFresh(this.#login) ? this.#login.accessToken : this.#renew(this.#login.accessToken);
  }

  async renewed(refused: string): Promise<string | undefined> {
    return this.#login.refreshToken === undefined ? undefined : this.#renew(refused);
  }

  async #renew(old: string): Promise<string> {
    this.#login = await this.#store.change(async (stored) => {
      if (!stored) {
        throw new Failure("notLoggedIn", "The login was removed in the meantime.", { hint: "svc login" });
      }
      // Another process was faster. With rotating refresh tokens a second refresh would end the login.
      if (stored.accessToken !== old && isFresh(stored)) return stored;
      if (stored.refreshToken === undefined) {
        throw new Failure("expired", "The login has expired.", { hint: "Log in again: svc login" });
      }
      return this.#refresh(stored, stored.refreshToken);
    });
    return this.#login.accessToken;
  }
}

async function refreshAtProvider(login: Login, refreshToken: string): Promise<Login> {
  const { refreshLogin } = await import("../login/refresh-login.ts");
  return refreshLogin(login, refreshToken);
}
