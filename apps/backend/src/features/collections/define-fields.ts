import { randomBytes } from "node:crypto";
import { usageError } from "@svc/command-router/arguments/usage-error";
import type { Violation } from "@svc/protocol/problem";
import { ProblemError } from "@svc/protocol/problem";
import { encodeId } from "@svc/protocol/typed-id";
import type { CommandContext } from "../../platform/commands/command-context.ts";
import type { Workspace } from "../workspaces/workspaces.ts";
import { locateCollection } from "./collections.ts";
import { type Field, findField, mostFields, parseField, unknownField, WrongField } from "./field.ts";

/** Collects the mistakes in the arguments of one command, to report all of them at once. */
export class Complaints {
  readonly #command: string;
  readonly #violations: Violation[] = [];

  constructor(command: string) {
    this.#command = command;
  }

  add(argument: string, message: string): void {
    this.#violations.push({ argument, message });
  }

  /** The result of `read`, or undefined if it throws a WrongField. */
  try<T>(argument: string, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof WrongField)) throw error;
      this.add(argument, error.message);
      return undefined;
    }
  }

  throwIfAny(): void {
    if (this.#violations.length > 0) throw usageError({ path: this.#command }, this.#violations);
  }
}

/** Adds fields as typed. A link must name a collection of the same workspace that the caller can read. */
export async function addFields(
  context: CommandContext,
  workspace: Workspace,
  fields: readonly Field[],
  typed: readonly string[],
  { complaints, argument }: { complaints: Complaints; argument: string },
): Promise<Field[]> {
  const all = [...fields];
  for (const text of typed) {
    const field = complaints.try(argument, () => parseField(text));
    if (!field) continue;
    if (findField(all, field.name)) {
      complaints.add(argument, `a field named \`${field.name}\` already exists`);
      continue;
    }
    const target = field.target && (await findTarget(context, workspace, field.target));
    if (field.type === "link" && !target) {
      complaints.add(
        argument,
        `there is no collection \`${field.target}\` in ${workspace.name}, or you do not have access to it`,
      );
      continue;
    }
    all.push({ ...field, key: randomBytes(6).toString("hex"), ...(target ? { target } : {}) });
  }
  if (all.length > mostFields) complaints.add(argument, `a collection can have at most ${mostFields} fields`);
  return all;
}

async function findTarget(
  context: CommandContext,
  workspace: Workspace,
  target: string,
): Promise<string | undefined> {
  try {
    const place = await locateCollection(
      { ...context, workspace: encodeId("workspace", workspace.id) },
      target,
    );
    return place.workspace.id === workspace.id ? place.collection.id : undefined;
  } catch (error) {
    if (error instanceof ProblemError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** The key of the title field: the one named, otherwise the first text field. */
export function chooseTitle(
  fields: readonly Field[],
  named: string | undefined,
  complaints: Complaints,
): string | undefined {
  const field = named === undefined ? fields.find(({ type }) => type === "text") : findField(fields, named);
  if (field?.type === "text") return field.key;
  if (named === undefined)
    complaints.add("--field", "a collection needs a text field for the title of its records");
  else complaints.add("--title", field ? "only a text field can be the title" : unknownField(fields, named));
  return undefined;
}
