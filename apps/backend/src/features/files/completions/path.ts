import { readableBytes } from "@svc/rendering/readable-bytes";
import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { childrenBeginning } from "../files-store.ts";
import { leadingFolders, locateFolder } from "../tree/tree.ts";

export default defineCompletions({
  listing: "files list",
  maxAge: 5,
  async find(context, typed, limit) {
    const slash = typed.lastIndexOf("/") + 1;
    const [folder, start] = [typed.slice(0, slash), typed.slice(slash).normalize("NFC")];
    const { node, workspace, rights } = await locateFolder(context, folder || "/");
    const visible = { readable: rights.readable, leading: await leadingFolders(context, rights) };
    const { db, tenantId } = context.transaction;
    const within = node?.id ?? workspace.id;
    const { rows } = await childrenBeginning(tenantId, within, start, visible, limit).execute(db);
    const before = typed === "" ? "/" : folder;
    return (
      rows
        // `a:/` would be a workspace.
        .filter(({ name }) => before !== "" || !name.includes(":"))
        .map(({ kind, name, size }) => ({
          word: `${before}${name}${kind === "folder" ? "/" : ""}`,
          meaning: size === null ? kind : readableBytes(size),
        }))
    );
  },
});
