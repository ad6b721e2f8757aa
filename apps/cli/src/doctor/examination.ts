import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { Failure } from "@svc/machine/failure";
import { within } from "@svc/machine/files/within";
import { type Answer, request } from "@svc/machine/network/http";
import { proxyOf } from "@svc/machine/network/proxy";
import type { CallerContext } from "@svc/protocol/caller";
import type { Credential } from "../credentials/credential.ts";
import { findCredential } from "../credentials/find-credential.ts";
import type { Profile } from "../credentials/login.ts";
import { findProfile } from "../credentials/profile.ts";
import type { Invocation } from "../invocation.ts";
import { Service } from "../network/service.ts";

export type Outcome<Value> = { value: Value } | { failure: Failure };

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** This machine's clock, in the middle of the exchange. */
  at: number;
}

/** How long one probe may take, in milliseconds: all of them together stay below 15 s. */
export const lookMillis = 2_500;

/** Each probe runs once: several steps read the same answer. */
export class Examination {
  readonly invocation: Invocation;
  readonly baseUrl: Outcome<URL>;
  readonly proxy: string | undefined;
  readonly #profile: string | undefined;
  readonly #looks = new Map<string, Promise<Outcome<unknown>>>();

  private constructor(invocation: Invocation, profile: Outcome<Profile>) {
    this.invocation = invocation;
    this.baseUrl = "value" in profile ? { value: profile.value.baseUrl } : profile;
    this.#profile = "value" in profile ? profile.value.name : undefined;
    this.proxy = "value" in this.baseUrl ? proxyOf(this.baseUrl.value) : undefined;
  }

  static async begin(invocation: Invocation): Promise<Examination> {
    const profile = findProfile(invocation.environment).then((value) => ({ value }), toFailure);
    return new Examination(invocation, await profile);
  }

  /** The IP addresses of the name. */
  addresses(url: URL): Promise<Outcome<string[]>> {
    return this.#once(`dns ${url.hostname}`, async () => {
      const found = await withinLook(
        lookup(bareHost(url), { all: true }),
        `${url.hostname} was not looked up in time.`,
      );
      return found.map(({ address }) => address);
    });
  }

  /** Milliseconds until the connection was accepted. */
  connection(url: URL): Promise<Outcome<number>> {
    return this.#once(`tcp ${url.host}`, () => timeToConnect(url));
  }

  /** The service's answer without a credential. */
  reply(url: URL): Promise<Outcome<Reply>> {
    return this.#once("reply", async () => {
      const began = Date.now();
      const answer = await this.fetch(new URL("/api/v1/context", url));
      const at = (began + Date.now()) / 2;
      return { status: answer.status, headers: answer.headers, text: await answer.text(), at };
    });
  }

  credential(url: URL): Promise<Outcome<Credential>> {
    return this.#once("credential", () =>
      findCredential({ baseUrl: url, name: this.#profile }, this.invocation),
    );
  }

  /** The service's answer to this caller. */
  context(url: URL, credential: Credential): Promise<Outcome<CallerContext>> {
    return this.#once("context", async () => {
      const { environment, signal } = this.invocation;
      const service = new Service({ baseUrl: url, credential, environment, signal, onWait: () => {} });
      return service.contextOnce({ silenceMillis: lookMillis });
    });
  }

  fetch(url: URL): Promise<Answer> {
    return request(url, { signal: this.invocation.signal, silenceMillis: lookMillis });
  }

  #once<Value>(key: string, look: () => Promise<Value>): Promise<Outcome<Value>> {
    const outcome = this.#looks.get(key) ?? look().then((value) => ({ value }), toFailure);
    this.#looks.set(key, outcome);
    return outcome as Promise<Outcome<Value>>;
  }
}

function toFailure(error: unknown): { failure: Failure } {
  if (error instanceof Failure) return { failure: error };
  const message = error instanceof Error ? error.message : String(error);
  return { failure: new Failure("internal", message, { cause: error }) };
}

function timeToConnect(url: URL): Promise<number> {
  const began = performance.now();
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const socket = connect({ host: bareHost(url), port });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  socket.once("connect", () => resolve(performance.now() - began));
  socket.once("error", (error: NodeJS.ErrnoException) => reject(new Error(error.code ?? error.message)));
  return withinLook(promise, "No answer in time.").finally(() => socket.destroy());
}

export function withinLook<Value>(work: Promise<Value>, late: string): Promise<Value> {
  return within(lookMillis, work, () => new Failure("timeout", late));
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}
