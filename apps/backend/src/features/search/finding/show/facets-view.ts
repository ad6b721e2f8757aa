import { encodeId } from "@svc/protocol/typed-id";
import { familiesOf, typeFamilies } from "@svc/search/query/type-families";
import type { FacetCounts } from "@svc/search/ranking/facets/count-facets";
import { z } from "zod";
import type { CommandContext } from "../../../../platform/commands/command-context.ts";
import { readSurroundings } from "./hit-details.ts";

const FacetValue = z.object({
  value: z.string(),
  label: z.string(),
  count: z.int(),
  operator: z.string().describe("Added to the query, it narrows the search to these hits"),
});

export const Facets = z.object({
  about: z.boolean().describe("Counted in a sample of the hits, because there are many"),
  type: z.array(FacetValue).describe("A text that is code is both"),
  workspace: z.array(FacetValue),
  owner: z.array(FacetValue).describe("People whom you know"),
  year: z.array(FacetValue).describe("Of the last change"),
});

/** Owners whose names are looked up: some are unknown. */
const mostLookedUp = 2_000;

/** Of each facet but types. */
const mostValues = 10;

/** As callers get them: the most frequent values first, years by date. */
export async function facetsView(
  context: CommandContext,
  { each, types, workspaces, owners, years }: FacetCounts,
): Promise<z.output<typeof Facets>> {
  const around = await readSurroundings(context, {
    workspaces: workspaces.map(({ id }) => id),
    people: owners.slice(0, mostLookedUp).map(({ id }) => id),
  });
  return {
    about: each > 1,
    type: byCount(
      typeFamilies.map((family) => ({
        ...{ value: family, label: family, operator: `type:${family}` },
        count: each * sum(types.filter((type) => familiesOf(type).includes(family))),
      })),
    ),
    workspace: byCount(
      workspaces.flatMap(({ id, hits }) => {
        const workspace = around.workspaces.get(id);
        if (!workspace) return [];
        const { name, prefix } = workspace;
        const operator = `in:${prefix.slice(0, -1)}`;
        return [{ value: encodeId("workspace", id), label: name, operator, count: each * hits }];
      }),
    ).slice(0, mostValues),
    owner: byCount(
      owners.flatMap(({ id, hits }) => {
        const person = around.people.get(id);
        if (!person) return [];
        const { id: value, name: label } = person;
        return [{ value, label, operator: `owner:${value}`, count: each * hits }];
      }),
    ).slice(0, mostValues),
    year: years
      .toSorted((left, right) => right.year - left.year)
      .slice(0, mostValues)
      .map(({ year, hits }) => {
        const value = String(year).padStart(4, "0");
        const operator = `after:${value} before:${String(year + 1).padStart(4, "0")}`;
        return { value, label: value, operator, count: each * hits };
      }),
  };
}

type Value = z.output<typeof FacetValue>;

function byCount(values: readonly Value[]): Value[] {
  return values
    .filter(({ count }) => count > 0)
    .toSorted((left, right) => right.count - left.count || (left.value < right.value ? -1 : 1));
}

function sum(counted: readonly { hits: number }[]): number {
  return counted.reduce((total, { hits }) => total + hits, 0);
}
