import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { CollectionPlace } from "./collections.ts";
import { type Collection, countHolding } from "./collections-store.ts";
import { addFields, type Complaints, chooseTitle } from "./define-fields.ts";
import { type Field, findField, parseChoices, parseFieldName, unknownField } from "./field.ts";

export interface Alterations {
  remove: readonly string[];
  rename: readonly string[];
  choices: readonly string[];
  add: readonly string[];
  title?: string | undefined;
}

/** The new fields: removals first, then renames, then additions, so that a freed name can be reused at once. */
export async function alterFields(
  context: CommandContext,
  { workspace, collection }: CollectionPlace,
  { remove, rename, choices, add, title }: Alterations,
  complaints: Complaints,
): Promise<{ fields: Field[]; titleField: string }> {
  let fields: Field[] = [...collection.fields];
  for (const name of remove) {
    const field = fieldNamed(name, "--remove");
    fields = fields.filter(({ key }) => key !== field?.key);
  }
  for (const typed of rename) {
    const [from, to] = split(typed, "--rename", "<old>=<new>");
    const field = from === undefined ? undefined : fieldNamed(from, "--rename");
    const name = to === undefined ? undefined : complaints.try("--rename", () => parseFieldName(to));
    if (!field || name === undefined) continue;
    const taken = findField(fields, name);
    if (taken && taken.key !== field.key)
      complaints.add("--rename", `a field named \`${name}\` already exists`);
    replace({ ...field, name });
  }
  for (const typed of choices) {
    const [name, list] = split(typed, "--choices", "<field>=<choice>,<choice>");
    const field = name === undefined ? undefined : fieldNamed(name, "--choices");
    const next = list === undefined ? undefined : complaints.try("--choices", () => parseChoices(list));
    if (!field || !next) continue;
    if (field.type !== "choice") {
      complaints.add("--choices", `\`${field.name}\` is a ${field.type}`);
      continue;
    }
    const holding = await countOrphans(context, collection, { ...field, choices: next });
    if (holding > 0)
      complaints.add("--choices", `${holding} records use a choice that would be removed; change them first`);
    replace({ ...field, choices: next });
  }
  fields = await addFields(context, workspace, fields, add, { complaints, argument: "--add" });
  return { fields, titleField: titleAfter() };

  function titleAfter(): string {
    if (title !== undefined) return chooseTitle(fields, title, complaints) ?? collection.titleField;
    if (!fields.some(({ key }) => key === collection.titleField)) {
      complaints.add("--remove", "it is the title of the records; choose another text field with --title");
    }
    return collection.titleField;
  }

  function fieldNamed(name: string, argument: string): Field | undefined {
    const field = findField(fields, name);
    if (!field) complaints.add(argument, `\`${name}\`: ${unknownField(fields, name)}`);
    return field;
  }

  function split(typed: string, argument: string, form: string): [string, string] | [undefined, undefined] {
    const at = typed.indexOf("=");
    if (at > 0) return [typed.slice(0, at), typed.slice(at + 1)];
    complaints.add(argument, `must have the form ${form}`);
    return [undefined, undefined];
  }

  function replace(field: Field): void {
    fields = fields.map((other) => (other.key === field.key ? field : other));
  }
}

/** How many records use a choice that the field would lose. None may. */
export async function countOrphans(
  { transaction }: CommandContext,
  { id, fields }: Collection,
  next: Field,
): Promise<number> {
  const { choices = [] } = fields.find(({ key }) => key === next.key) ?? {};
  const gone = choices.filter((choice) => !next.choices?.includes(choice));
  return gone.length === 0 ? 0 : countHolding(transaction, id, next.key, gone);
}
