import { randomUUID } from "node:crypto";
import type { UploadAnswer } from "@svc/protocol/exchange";
import { packTar } from "modern-tar";
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
    const archive = await packTar(
      some.map((number) => {
        const { title = "", text = "" } = documents[number] ?? {};
        const body = title === "" ? text : `${title}\n\n${text}`;
        return { header: { name: `${number}.txt`, size: Buffer.byteLength(body) }, body };
      }),
    );
    await putFolder(api, workspace, `from-${some[0]}`, archive);
  }
}

/** The folder of the archive's files becomes one at the root of the workspace. */
export async function putFolder(
  { client, url, token }: Api,
  workspace: string,
  name: string,
  archive: Uint8Array,
): Promise<void> {
  const authorization = `Bearer ${token}`;
  const line = { argv: ["files", "put", `./${name}`, `/${name}`, "--workspace", workspace], want: "data" };
  const headers = { authorization, "content-type": "application/json", "idempotency-key": randomUUID() };
  const asked = JSON.parse(
    await client.send(`${url}/api/v1/cli`, { method: "POST", headers, body: JSON.stringify(line) }),
  ) as UploadAnswer;
  const [upload] = asked.uploads;
  if (!upload) throw new Error("the server did not ask for a file");
  await client.send(new URL(upload.href, url).href, {
    method: "PATCH",
    headers: { authorization, "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    body: Buffer.from(archive),
  });
  const sent = { ...line, continuation: asked.continuation, folders: [upload.path] };
  await client.send(`${url}/api/v1/cli`, { method: "POST", headers, body: JSON.stringify(sent) });
}
