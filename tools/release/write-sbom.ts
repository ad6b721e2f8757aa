import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const repository = join(import.meta.dirname, "../..");

interface CycloneDx {
  metadata: { component: object };
  components: object[];
}

/**
 * What the client is made of, in CycloneDX. From the lock file, so it needs no install. npm does not know the runtime
 * that the compiler adds to the binary, so it is added here.
 */
export function writeSbom(place: string, product: string, version: string): void {
  const printed = execFileSync(
    "npm",
    ["sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--workspace=apps/cli"],
    { cwd: repository, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  );
  const { metadata, components, ...rest } = JSON.parse(printed) as CycloneDx;
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const { bun = "" } = devDependencies;
  const sbom = {
    ...rest,
    metadata: {
      ...metadata,
      component: { ...metadata.component, type: "application", name: product, version },
    },
    components: [...components, { type: "platform", name: "bun", version: bun, purl: `pkg:npm/bun@${bun}` }],
  };
  writeFileSync(place, `${JSON.stringify(sbom, null, 2)}\n`);
}
