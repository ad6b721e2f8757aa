import { setTimeout as sleep } from "node:timers/promises";
import { Failure, Interrupted } from "@svc/machine/failure";
import type { Login } from "../credentials/login.ts";
import type { DeviceCode } from "./device-code.ts";
import { ProviderRefusal } from "./identity-provider.ts";

interface Waiting {
  exchange: (deviceCode: string) => Promise<Login>;
  signal: AbortSignal;
  say: (text: string) => void;
  /** For the case that the last poll was long ago. */
  asksAtOnce?: boolean;
  /** To be replaced in tests. */
  pause?: (millis: number) => Promise<void>;
}

/** RFC 8628, 3.5: what `slow_down` adds to this and all later pauses. */
const slowerBy = 5;

/** Polls until the person has decided or the code has expired. Failed polls are repeated. */
export async function waitForApproval(code: DeviceCode, waiting: Waiting): Promise<Login> {
  const { exchange, signal, say } = waiting;
  const pause = waiting.pause ?? ((millis) => interruptible(millis, signal));
  let { interval } = code;
  let trouble: string | undefined;
  let wait = waiting.asksAtOnce ? 0 : interval;
  say("Waiting for your approval …");
  for (; ; wait = interval) {
    const left = code.expiresAt - Date.now();
    if (left <= 0) throw expired(trouble);
    await pause(Math.min(wait * 1_000, left));
    try {
      return await exchange(code.deviceCode);
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof Interrupted) throw error;
      if (!(error instanceof ProviderRefusal)) {
        trouble = error.message;
        say(`${trouble} Still waiting …`);
        continue;
      }
      if (error.code === "access_denied") {
        throw new Failure("notPermitted", "The login was denied.", {
          hint: "If that was a mistake: svc login",
          cause: error,
        });
      }
      if (error.code === "expired_token") throw expired(undefined);
      if (error.code === "slow_down") interval += slowerBy;
      else if (error.code !== "authorization_pending") throw error;
      if (trouble !== undefined) say("Waiting for your approval …");
      trouble = undefined;
    }
  }
}

function expired(trouble: string | undefined): Failure {
  const last = trouble === undefined ? "" : ` The last check failed: ${trouble}`;
  return new Failure("expired", `The code expired before anybody approved it.${last}`, {
    hint: "Get a new one: svc login",
  });
}

async function interruptible(millis: number, signal: AbortSignal): Promise<void> {
  await sleep(millis, undefined, { signal }).catch(() => signal.throwIfAborted());
}
