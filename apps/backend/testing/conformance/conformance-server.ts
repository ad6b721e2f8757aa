import { fileURLToPath } from "node:url";
import { Catalog, loadCatalog } from "@svc/command-router/catalog";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import { featuresFolder } from "../../src/platform/process/features-folder.ts";
import { TestBackend } from "../test-backend.ts";

/**
 * The whole backend on a port, with the tools that conformance scenarios call beside the real ones. Says on standard
 * output where it is, and ends with its standard input.
 */
const fixtures = fileURLToPath(new URL("features", import.meta.url));
const catalogs = [
  await loadCatalog<CommandContext>(featuresFolder),
  await loadCatalog<CommandContext>(fixtures),
];
const catalog = new Catalog(
  catalogs.flatMap(({ commands }) =>
    commands.map(({ group, name, ...definition }) => ({ group, name, definition })),
  ),
);
const backend = await TestBackend.start({ catalog });
const tenant = await backend.addTenant();
const { token } = await tenant.addPerson("Ann");
await backend.run(token, "workspaces create Desk");
const resources = {
  "test://static-text": await put("static.txt", "This is the content of the static text resource."),
  "test://template/123/data": await put("data.txt", "Data for ID: 123"),
};
const url = await backend.server.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ url, token, resources })}\n`);
process.stdin.resume().once("end", () => backend.close());

async function put(name: string, text: string): Promise<string> {
  const argv = ["files", "put", "./text", `/${name}`, "--workspace", "desk"];
  const { body } = await backend.send(token, argv, text);
  return (body.data as { id: string }).id;
}
