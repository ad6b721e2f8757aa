import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { nodeId, trashedNodes } from "../../files/files.ts";

export default defineCompletions({
  listing: "trash list",
  maxAge: 5,
  async find(context, typed, limit) {
    const found = await trashedNodes(context, { limit });
    return found
      .map((node) => ({ word: nodeId(node), meaning: node.name }))
      .filter(({ word }) => word.startsWith(typed));
  },
});
