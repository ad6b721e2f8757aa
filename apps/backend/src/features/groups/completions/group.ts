import { encodeId } from "@svc/protocol/typed-id";
import { counted } from "@svc/rendering/counted";
import { sql } from "kysely";
import { clearWords } from "../../../platform/completions/clear-words.ts";
import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { isKnown } from "../../access/access.ts";
import { listGroups } from "../groups-store.ts";

export default defineCompletions({
  listing: "groups list",
  maxAge: 60,
  async find(context, typed, limit) {
    const isVisible = await isKnown(context, sql.ref("principal.id"));
    const found = await listGroups(context.transaction, { isVisible, limit, beginning: typed });
    return clearWords(
      found.map(({ id, name, members }) => ({
        id: encodeId("group", id),
        name,
        meaning: `group, ${counted(members, "member")}`,
      })),
      typed,
    );
  },
});
