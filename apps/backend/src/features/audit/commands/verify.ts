import { exitCode } from "@svc/protocol/exit-code";
import { z } from "zod";
import { type ChainEnd, chainStart, findBrokenLink } from "../../../platform/audit/audit-chain.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { requireAdministrator } from "../../../platform/commands/require-administrator.ts";
import { readChain, readHead } from "../audit-store.ts";

const batch = 2_000;

export default defineCommand({
  summary: "Check that no audit entry was changed, removed or added",
  category: "History",
  effect: "read",
  agents: "searchable",
  reach: "inside",
  scopes: ["audit:read"],
  arguments: z.strictObject({}),
  result: z.object({ entries: z.int(), intact: z.boolean(), brokenAt: z.int().optional() }),
  presentation: {
    as: "text",
    text: ({ entries, intact, brokenAt }) =>
      intact
        ? `The audit chain of ${entries} entries is intact`
        : `The audit chain is broken at entry ${brokenAt}`,
  },
  examples: [{ command: "audit verify", note: "Exits with 60 if the chain is broken" }],
  keywords: ["tamper", "integrity", "check log", "chain"],
  failures: [],
  exitCode: ({ intact }) => (intact ? exitCode.done : exitCode.failedCheck),
  async run(context) {
    requireAdministrator(context);
    const found = await readHead(context.transaction);
    const head = { sequence: found?.sequence ?? chainStart.sequence, hash: found?.hash ?? chainStart.hash };
    if (found?.stray != null) return { entries: head.sequence, intact: false, brokenAt: found.stray };
    let last: ChainEnd = chainStart;
    while (last.sequence < head.sequence) {
      const links = await readChain(context.transaction, {
        after: last.sequence,
        upTo: head.sequence,
        limit: batch,
      });
      const brokenAt = findBrokenLink(links, last);
      if (brokenAt !== undefined) return { entries: head.sequence, intact: false, brokenAt };
      const end = links.at(-1);
      if (!end) break;
      last = end;
      context.progress({ label: "Checking", done: last.sequence, total: head.sequence, unit: "entries" });
    }
    const intact = last.sequence === head.sequence && last.hash.equals(head.hash);
    return { entries: head.sequence, intact, ...(intact ? {} : { brokenAt: last.sequence + 1 }) };
  },
});
