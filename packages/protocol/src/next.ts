import { z } from "zod";
import { shellWord } from "./shell-word.ts";

/**
 * The call that gets a refused caller on, to be made as it is: by its command route, by `commands_run`, or as a line. It
 * reads, or it previews a change; it never changes anything.
 */
export const Next = z
  .object({
    command: z.string().describe("As in the help: `files list`"),
    arguments: z.record(z.string(), z.unknown()),
    workspace: z.string().optional(),
    dryRun: z.literal(true).optional(),
  })
  .meta({ id: "Next" });
export type Next = z.infer<typeof Next>;

/** Its words behind `svc`. Every argument can be given as a flag, named by its name in kebab case. */
export function wordsOf({ command, arguments: given, workspace, dryRun }: Next): string[] {
  const flags = Object.entries(given).flatMap(([name, value]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [value].flat().map((one) => (one === false ? `--no-${flag}` : `--${flag}=${one}`));
  });
  return [
    ...command.split(" "),
    ...flags,
    ...(workspace === undefined ? [] : [`--workspace=${workspace}`]),
    ...(dryRun ? ["--dry-run"] : []),
  ];
}

/** A refusal that points at a call, once for people and once for programs. Values of its arguments are typed in their order. */
export function pointTo(
  { command, arguments: given = {}, workspace }: Pick<Next, "command"> & Partial<Next>,
  purpose: string,
): { hint: string; next: Next } {
  const values = Object.values(given).flat().map(String);
  const place = workspace === undefined ? [] : ["--workspace", workspace];
  const line = ["svc", command, ...[...values, ...place].map(shellWord)].join(" ");
  return {
    hint: `Run \`${line}\` ${purpose}`,
    next: { command, arguments: given, ...(workspace === undefined ? {} : { workspace }) },
  };
}
