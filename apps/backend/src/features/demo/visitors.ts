import type { Database } from "@svc/database/database";
import { errorTable } from "@svc/protocol/error-table";
import { ProblemError } from "@svc/protocol/problem";
import type { Caller } from "../../platform/identity/caller.ts";
import { nobody } from "../../platform/identity/nobody.ts";
import { hashSecret, newSecret } from "../../platform/identity/service-token.ts";
import { ShortCache } from "../../platform/identity/short-cache.ts";
import {
  type DemoTenant,
  findDemo,
  findVisitor,
  giveBackFile,
  insertVisitor,
  takeFile,
} from "./demo-store.ts";

/** How long somebody is the same visitor. */
export const visitMillis = 2 * 60 * 60_000;
export const mostFiles = 5;
/** A demo is marked once, by an operator. */
const rememberedMillis = 10_000;
/** When the demo was full, nobody is let in for so long, so that a flood does not reach the database. */
const fullMillis = 5_000;

export interface Visitor {
  id: string;
  tenant: { id: string; name: string };
  /** Nobody else sees it. */
  workspaceId: string;
  /** Taken so far. */
  files: number;
  expiresAt: Date;
}

/** Anonymous people of the demo. Who they are is a secret in their browser, of which the database has the hash. */
export class DemoVisitors {
  readonly #database: Database;
  readonly #most: number;
  readonly #demo = new ShortCache<DemoTenant | undefined>(rememberedMillis);
  #fullUntil = 0;

  constructor(database: Database, { most }: { most: number }) {
    this.#database = database;
    this.#most = most;
  }

  /** Undefined from the moment at which the visit ends. */
  async find(secret: string): Promise<Visitor | undefined> {
    const tenant = await this.#tenant();
    const visitor = await this.#database.withTenant(
      { tenantId: tenant.id, actorId: nobody },
      "read",
      (read) => findVisitor(read, hashSecret(secret)),
    );
    return visitor && { ...visitor, tenant };
  }

  /** Throws if the demo was full a moment ago. */
  requireRoom(): void {
    if (performance.now() < this.#fullUntil) throw full();
  }

  async open(): Promise<{ visitor: Visitor; secret: string }> {
    this.requireRoom();
    const tenant = await this.#tenant();
    const secret = newSecret();
    const visitor = await this.#database.withTenant(
      { tenantId: tenant.id, actorId: nobody },
      "write",
      (write) =>
        insertVisitor(write, {
          groupId: tenant.visitorsGroupId,
          secretHash: hashSecret(secret),
          expiresAt: new Date(write.now.getTime() + visitMillis),
          most: this.#most,
        }),
    );
    if (!visitor) {
      this.#fullUntil = performance.now() + fullMillis;
      throw full();
    }
    return { visitor: { ...visitor, tenant }, secret };
  }

  /** Counted before anything is stored, so that uploads at the same time cannot exceed the limit. */
  async withFile<T>(visitor: Visitor, store: () => Promise<T>): Promise<T> {
    const scope = { tenantId: visitor.tenant.id, actorId: visitor.id };
    const isTaken = await this.#database.withTenant(scope, "write", (write) => takeFile(write, mostFiles));
    if (!isTaken) throw noMoreFiles();
    try {
      return await store();
    } catch (error) {
      if (isRefusal(error)) await this.#database.withTenant(scope, "write", giveBackFile);
      throw error;
    }
  }

  async #tenant(): Promise<DemoTenant> {
    const demo = await this.#demo.get("demo", () => findDemo(this.#database));
    if (demo) return demo;
    throw new ProblemError("unavailable", "The demo has not been set up yet.", { hint: "Try again later." });
  }
}

/** Nothing was stored, for certain. Whoever disconnects does not stop a commit: their file counts. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.code !== "timeout" && errorTable[error.code].status < 500;
}

/** Two commands need these scopes, and no route but those of the demo knows the credential. */
export function visitorCaller({ id, tenant, workspaceId, expiresAt }: Visitor): Caller {
  return {
    actor: { id, kind: "human", name: "Visitor", isAdministrator: false },
    tenant: { id: tenant.id, name: tenant.name },
    credential: { kind: "demo_visitor", id, expiresAt },
    scopes: ["search:read", "files:write"],
    defaultWorkspaceId: workspaceId,
  };
}

export function noMoreFiles(): ProblemError {
  return new ProblemError(
    "conflict",
    `You have uploaded ${mostFiles} files, which is all that the demo takes.`,
    {
      hint: "They are deleted two hours after your first search.",
    },
  );
}

function full(): ProblemError {
  return new ProblemError("too_many_requests", "The demo has as many visitors as it can take.", {
    hint: "Try again in some minutes.",
  });
}
