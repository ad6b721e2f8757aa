import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { rightsIn } from "../../access/access.ts";
import { workspaceAt } from "../../workspaces/workspaces.ts";
import { listCollections } from "../collections-store.ts";

export default defineCompletions({
  listing: "collections list",
  maxAge: 5,
  async find(context, typed, limit) {
    const colon = typed.indexOf(":") + 1;
    const [before, beginning] = [typed.slice(0, colon), typed.slice(colon)];
    const named = before === "" ? {} : { workspace: before.slice(0, -1).normalize("NFC") };
    const workspace = await workspaceAt(context, { ...named, rest: beginning });
    const { readable } = await rightsIn(context, workspace.id);
    const found = await listCollections(context.transaction, workspace.id, { readable, limit, beginning });
    return found.map(({ slug, name }) => ({ word: `${before}${slug}`, meaning: name }));
  },
});
