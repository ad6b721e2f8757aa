import assert from "node:assert/strict";
import { TestVisitor } from "../demo/demo-test.ts";
import type { TestBackend } from "../test-backend.ts";
import { asAdmin } from "../worker-test.ts";
import type { WorldTenant } from "./world.ts";

interface VisitorFile {
  workspaceId: string;
  name: string;
  text: string;
  /** Another visitor's. */
  isOther: boolean;
}

const prefix = "visitor ";

let addresses = 0;
/** Uploads of an address are limited, and the clock of the oracle stands still. */
function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** The secret of a visitor's cookie, if that is what the token stands for. */
export function visitorSecret(token: string): string | undefined {
  return token.startsWith(prefix) ? token.slice(prefix.length) : undefined;
}

/** Two visitors of the demo, which is this tenant from now on: what their group sees, and a file of each. */
export class DemoVisits {
  readonly token: string;
  readonly files: readonly VisitorFile[];

  private constructor(token: string, files: readonly VisitorFile[]) {
    this.token = token;
    this.files = files;
  }

  /** Their group is in `inner`, so that rights reach them as they reach people, through two groups or three. */
  static async begin(backend: TestBackend, tenant: WorldTenant): Promise<DemoVisits> {
    await asAdmin({ backend }, (admin) => admin.query("delete from app.demo"));
    await backend.provision((provisioner) => provisioner.markDemo(tenant.id));
    await backend.run(tenant.token("root"), ["groups", "add", "inner", "Demo visitors"]);
    tenant.groups.inner.add("visitor");
    const [one, other] = [new TestVisitor(backend, newAddress()), new TestVisitor(backend, newAddress())];
    const files = [
      await upload(one, "cedar visit.txt", "marmot burrow lantern", false),
      await upload(other, "alder visit.txt", "marmot granite zeppelin", true),
    ];
    return new DemoVisits(`${prefix}${one.secret}`, files);
  }
}

async function upload(
  visitor: TestVisitor,
  name: string,
  text: string,
  isOther: boolean,
): Promise<VisitorFile> {
  const { status, body } = await visitor.upload(name, text);
  assert.equal(status, 201, body.detail);
  const found = await visitor.search(`title:visit`, { limit: 5 });
  const hits = found.body.hits as unknown as { workspaceId: string }[];
  assert.equal(hits.length, 1, "a visitor finds their own file and no other's");
  return { workspaceId: hits[0]?.workspaceId ?? "", name, text, isOther };
}
