import { randomUUID } from "node:crypto";
import { sendTree } from "@svc/testing/send-tree";
import type { HttpClient } from "../bench/http-client.ts";
import type { Collection } from "./collection.ts";

const atOnce = 1_000;

export interface Api {
  client: HttpClient;
  url: string;
  token: string;
}

/**
 * Uploads like anybody else: folders of a thousand, with the ordinary command. A file is named after its document's
 * number.
 */
export async function putDocuments(
  api: Api,
  workspace: string,
  { documents }: Collection,
  numbers: readonly number[] = [...documents.keys()],
): Promise<void> {
  for (let start = 0; start < numbers.length; start += atOnce) {
    const some = numbers.slice(start, start + atOnce);
    const files = Object.fromEntries(
      some.map((number) => {
        const { title = "", text = "" } = documents[number] ?? {};
        return [`${number}.txt`, title === "" ? text : `${title}\n\n${text}`];
      }),
    );
    await putFolder(api, workspace, `from-${some[0]}`, files);
  }
}

/** These files become a folder at the root of the workspace. */
export async function putFolder(
  { client, url, token }: Api,
  workspace: string,
  name: string,
  files: Record<string, string | Uint8Array>,
): Promise<void> {
  const authorization = `Bearer ${token}`;
  const line = { argv: ["files", "put", `./${name}`, `/${name}`, "--workspace", workspace], want: "data" };
  const headers = { authorization, "content-type": "application/json", "idempotency-key": randomUUID() };
  await sendTree(files, {
    type: async (more) => {
      const body = JSON.stringify({ ...line, ...more });
      return { body: JSON.parse(await client.send(`${url}/api/v1/cli`, { method: "POST", headers, body })) };
    },
    post: (href, body, mediaType) =>
      client.send(new URL(href, url).href, {
        method: "POST",
        headers: { authorization, "content-type": mediaType },
        body: Buffer.from(body),
      }),
  });
}
