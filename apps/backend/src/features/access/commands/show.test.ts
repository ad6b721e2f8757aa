import { expect } from "vitest";
import { test } from "../../../../testing/files-test.ts";

test("shows its own list first, then those above, up to a restriction", async ({ town }) => {
  await town.person("Gus");
  await town.person("Lin");
  for (const folder of ["/a", "/a/b"]) await town.run(["files", "mkdir", folder]);
  await town.run(`access grant /a ${town.tenant.addressOf("Gus")} --role editor`);
  await town.run(`access grant /a/b ${town.tenant.addressOf("Lin")}`);
  const who = async () => {
    const { items } = await town.run<{ items: { person: string; role: string; from: string }[] }>(
      "access show /a/b",
    );
    return items.map(({ person, role, from }) => `${person} ${role} ${from}`);
  };
  expect(await who()).toEqual(["Lin viewer /a/b", "Gus editor /a", "Owner of Town owner Town"]);
  await town.run("access restrict /a");
  expect(await who()).toEqual(["Lin viewer /a/b", "Gus editor /a"]);
  await town.run("access restrict /a/b");
  expect(await who()).toEqual(["Lin viewer /a/b"]);
});
