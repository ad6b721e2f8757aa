import { encodeId } from "@svc/protocol/typed-id";
import { z } from "zod";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Rights } from "../access/access.ts";
import { toSlug } from "../workspaces/workspaces.ts";
import { collectionId } from "./collections.ts";
import { type Collection, readableNames } from "./collections-store.ts";
import { type Field, fieldTypes } from "./field.ts";

export const CollectionName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^[^\p{Control}\p{Surrogate}]*$/u, "must not contain control characters")
  .refine(
    (name) => !name.includes(":"),
    "must not contain a colon: it stands between a workspace and its collection",
  )
  .transform((name) => name.normalize("NFC"))
  .pipe(z.string().refine((name) => toSlug(name) !== "", "needs at least one letter or digit"));

const FieldView = z.object({
  name: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean(),
  choices: z.array(z.string()).optional(),
  target: z.object({ id: z.string(), name: z.string().optional() }).optional(),
});

/** A collection as callers see it. */
export const CollectionView = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  title: z.string().describe("Field that is the title of its records"),
  fields: z.array(FieldView),
  createdAt: z.iso.datetime(),
});
export type CollectionView = z.output<typeof CollectionView>;

/** The name of a linked collection is hidden from callers who cannot read it. */
export async function collectionView(
  { transaction }: CommandContext,
  { collection, rights }: { collection: Collection; rights: Rights },
): Promise<CollectionView> {
  const { name, slug, fields, titleField, createdAt } = collection;
  const targets = fields.flatMap(({ target }) => target ?? []);
  const names = await readableNames(transaction, targets, rights.readable);
  const targetView = (id: string) => {
    const shown = names.get(id);
    return { id: encodeId("collection", id), ...(shown === undefined ? {} : { name: shown }) };
  };
  return {
    id: collectionId(collection),
    name,
    slug,
    title: fields.find(({ key }) => key === titleField)?.name ?? "",
    fields: fields.map(({ key: _, target, ...field }) => ({
      ...field,
      ...(target === undefined ? {} : { target: targetView(target) }),
    })),
    createdAt: createdAt.toISOString(),
  };
}

/** As a change shows it. */
export function shownCollection({
  name,
  slug,
  fields,
  titleField,
}: Pick<Collection, "name" | "slug" | "fields" | "titleField">) {
  const title = fields.find(({ key }) => key === titleField)?.name;
  return { name, slug, title, fields: fields.map(fieldText) };
}

/** As a user would type it, for previews and the audit log. */
export function fieldText({ name, type, required, choices, target }: Field): string {
  const options = choices?.join(",") ?? (target && encodeId("collection", target));
  return `${name}${required ? "!" : ""}:${type}${options === undefined ? "" : `:${options}`}`;
}
