import { z } from "zod";
import type { CommandContext } from "../../../platform/commands/command-context.ts";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { notCursor, pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { knownPeople, type Principal, principalId } from "../../access/access.ts";
import { changeKinds, listChanges, type NodeChange } from "../history-store.ts";
import { FilePath, locateNode, requireRoleAt } from "../tree/tree.ts";
import { visibleFolders } from "../tree/visible-folders.ts";

export default defineCommand({
  summary: "Show who changed a file or folder, and what they did, newest first",
  description:
    "Names people you know. A move shows its folders if you can see them, by their present paths. " +
    "Who changed access to it is in `audit list`.",
  category: "Files",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["files:read"],
  arguments: z.strictObject({
    target: FilePath.describe("Path or id"),
    ...pageArguments,
    cursor: z
      .string()
      .regex(/^\d{20}[012](?:-[\da-f-]{1,36})?$/, notCursor)
      .optional()
      .describe("Where to continue, from `nextCursor` of the previous page"),
  }),
  positionals: ["target"],
  result: pageOf(
    z.object({
      at: z.iso.datetime(),
      by: z.string().optional().describe("Name, if you know them"),
      byId: z.string().optional(),
      what: z.enum(changeKinds),
      version: z.int().optional().describe("Of a new content"),
      from: z.string().optional().describe("Its old name, or the folder that it was moved from"),
      to: z.string().optional(),
    }),
  ),
  presentation: {
    as: "table",
    columns: [
      { field: "at", label: "When", priority: 8, as: "time" },
      { field: "by", label: "Who", priority: 9 },
      { field: "what", label: "What", priority: 7 },
      { field: "version", label: "Version", align: "right", priority: 4 },
      { field: "from", label: "From", priority: 5 },
      { field: "to", label: "To", priority: 6 },
      { field: "byId", label: "Id", priority: 1, as: "id" },
    ],
    empty: "Nothing is known of its past.",
  },
  examples: [{ command: "files history /reports/q3.pdf", note: "Who wrote, renamed or moved it" }],
  keywords: ["who changed", "changes", "log", "author", "modified by", "blame", "activity"],
  failures: ["not_found", "usage"],
  async run(context, { target, limit, cursor }) {
    const place = await locateNode(context, target);
    // A folder that only leads somewhere shows its name and nothing else.
    // guard: history-needs-viewer
    requireRoleAt(place, "viewer");
    const page = await readPage(limit, (most) =>
      listChanges(context.transaction, place.node.id, { before: cursor, limit: most }),
    );
    const people = await knownPeopleById(
      context,
      page.rows.flatMap(({ by }) => by ?? []),
    );
    const folders = await visibleFolders(
      context,
      place,
      page.rows.flatMap(({ fromParentId, toParentId }) => [fromParentId ?? [], toParentId ?? []].flat()),
    );
    return pageView(
      page,
      (change) => changeView(change, people, folders),
      ({ place }) => place,
    );
  },
});

async function knownPeopleById(
  context: CommandContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Principal>> {
  const known = await knownPeople(context, [...new Set(ids)]);
  const { rows } = await known.execute(context.transaction.db);
  return new Map(rows.map((person) => [person.id, person]));
}

/** Names of the past are shown as contents of the past are; folders only by what the caller sees of them now. */
function changeView(
  { at, by, what, version, fromName, toName, fromParentId, toParentId }: NodeChange,
  people: ReadonlyMap<string, Principal>,
  folders: ReadonlyMap<string, string>,
) {
  const person = people.get(by ?? "");
  const from = fromParentId === null ? fromName : folders.get(fromParentId);
  const to = toParentId === null ? toName : folders.get(toParentId);
  return {
    at: at.toISOString(),
    ...(person ? { by: person.name, byId: principalId(person) } : {}),
    what,
    ...(version === null ? {} : { version }),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}
