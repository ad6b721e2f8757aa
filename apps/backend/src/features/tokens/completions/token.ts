import { clearWords } from "../../../platform/completions/clear-words.ts";
import { defineCompletions } from "../../../platform/completions/completion-sources.ts";
import { tokenView } from "../tokens.ts";
import { listCredentials } from "../tokens-store.ts";

export default defineCompletions({
  listing: "tokens list",
  maxAge: 60,
  async find({ transaction, actor }, typed, limit) {
    const found = await listCredentials(transaction, {
      limit,
      account: actor.isAdministrator ? undefined : actor.id,
      beginning: typed,
    });
    const named = found
      .map(tokenView)
      .map(({ id, name, scopes }) => ({ id, name, meaning: scopes.join(" ") }));
    return clearWords(named, typed);
  },
});
