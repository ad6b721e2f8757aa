import { z } from "zod";
import { defineCommand } from "../../../platform/commands/define-command.ts";
import { pageArguments, pageOf, pageView, readPage } from "../../../platform/commands/page.ts";
import { allRights, type FoundPerson, knownPeopleByWords, principalId } from "../../access/access.ts";
import { workspacesByPerson } from "../people-store.ts";
import { readPersonCursor, writePersonCursor } from "../person-cursor.ts";

export default defineCommand({
  summary: "Find people you know by name or e-mail address",
  description:
    "Each typed word must begin a word of the name or address. Shows what tells people of one name apart: the address, and " +
    "workspaces of which you both see the members. Use the id or the address wherever a command takes a person.",
  category: "Access",
  effect: "read",
  agents: "listed",
  reach: "inside",
  scopes: ["people:read"],
  arguments: z.strictObject({
    name: z.array(z.string().max(320)).min(1).max(20).describe("Words of the name or e-mail address"),
    ...pageArguments,
  }),
  positionals: ["name"],
  result: pageOf(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string().optional(),
      workspaces: z.array(z.string()).describe("Names of workspaces in which you can list them as a member"),
    }),
  ),
  presentation: {
    as: "table",
    columns: [
      { field: "name", label: "Name", priority: 9 },
      { field: "email", label: "E-mail", priority: 8 },
      { field: "workspaces", label: "Workspaces", priority: 6 },
      { field: "id", label: "Id", priority: 7, as: "id" },
    ],
    empty: "You know nobody of this name.",
  },
  examples: [{ command: "people find anna", note: "Which Anna?" }],
  keywords: ["who is", "user", "colleague", "contact", "email of", "which anna", "lookup person"],
  failures: [],
  async run(context, { name, limit, cursor }) {
    const after = cursor === undefined ? undefined : readPersonCursor(cursor);
    const page = await readPage(limit, (most) =>
      knownPeopleByWords(context, name.join(" "), { limit: most, byAddress: true, after }),
    );
    // guard: people-in-listed-workspaces
    const listed = [...(await allRights(context))].filter(([id, rights]) => rights.roleIn(id) !== undefined);
    const workspaces = await workspacesByPerson(
      context.transaction,
      page.rows.map(({ id }) => id),
      listed.map(([id]) => id),
    );
    const toItem = (person: FoundPerson) => ({
      id: principalId(person),
      name: person.name,
      ...(person.email === null ? {} : { email: person.email }),
      workspaces: workspaces.get(person.id) ?? [],
    });
    return pageView(page, toItem, writePersonCursor);
  },
});
