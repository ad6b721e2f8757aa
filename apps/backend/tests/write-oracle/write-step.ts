import fc from "fast-check";
import { writes } from "./lines/writes.ts";
import type { Mode } from "./permission.ts";

/** One line that somebody types. Numbers pick among existing things, so that a script works after any history. */
export interface WriteStep {
  command: string;
  who: number;
  /** By somebody who can, by an editor of the workspace who cannot, or by anybody. */
  by: "allowed" | "insider" | "anybody";
  mode: Mode;
  inSession: boolean;
  wantsText: boolean;
  picks: [number, number, number];
}

const weights: Record<string, number> = {
  "files put": 8,
  "files sync": 4,
  "files mkdir": 2,
  "files move": 4,
  "files copy": 4,
  "files delete": 4,
  "files restore": 3,
  "trash purge": 3,
  "access grant": 4,
  "access restrict": 4,
  "operations undo": 8,
  "members disable": 1,
  "members enable": 1,
  "administrators remove": 1,
  // The world ends with its workspace.
  "workspaces delete": 0.5,
};

const pick = fc.nat(999);
const mode = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Mode>("plain") },
  { weight: 3, arbitrary: fc.constant<Mode>("confirmed") },
  { weight: 2, arbitrary: fc.constant<Mode>("dry-run") },
  { weight: 2, arbitrary: fc.constant<Mode>("by token") },
);

function stepOf(commands: readonly string[], by: fc.Arbitrary<WriteStep["by"]>): fc.Arbitrary<WriteStep> {
  return fc.record({
    command: fc.oneof(
      ...commands.map((command) => ({
        weight: Math.round(4 * (weights[command] ?? 2)),
        arbitrary: fc.constant(command),
      })),
    ),
    who: fc.nat(9),
    by,
    mode,
    inSession: fc.nat(11).map((side) => side === 11),
    wantsText: fc.boolean(),
    picks: fc.tuple(pick, pick, pick),
  });
}

const any = stepOf(Object.keys(writes), fc.constantFrom("allowed", "insider", "anybody"));
/** So that there is something to hide, and something in the trash. */
const beginning = stepOf(
  ["access restrict", "access grant", "files put", "files delete", "records delete", "members add"],
  fc.constant("allowed"),
).map((step): WriteStep => ({ ...step, mode: "plain", inSession: false }));

/** Something is restricted, and somebody is granted access again, with the same pick for both and without a filter. */
const secret = fc.tuple(beginning, beginning).map(([restrict, grant]): [WriteStep, WriteStep] => {
  const [subject, ...more] = restrict.picks;
  return [
    { ...restrict, command: "access restrict", picks: [subject, more[0], 4 * more[1]] },
    { ...grant, command: "access grant", picks: [subject, grant.picks[1], grant.picks[2]] },
  ];
});

/** A secret that its editors can only read, and one of them who replaces it: by chance few would meet such a file. */
const replacedSecret = fc.tuple(secret, beginning).map(([[restrict, grant], put]): WriteStep[] => {
  const [subject, who] = grant.picks;
  const asViewer: WriteStep = { ...grant, picks: [subject, who, 0] };
  return [restrict, asViewer, { ...put, command: "files put", by: "insider" }];
});

/** Two changes that belong together: by chance the second would rarely have anything to do. */
const pair = fc
  .tuple(
    fc.constantFrom(
      ["members disable", "members enable"],
      ["administrators add", "administrators remove"],
      ["embeddings adopt", "embeddings switch"],
    ),
    beginning,
  )
  .map(
    ([
      commands,
      {
        picks: [first, second],
        ...step
      },
    ]) => commands.map((command): WriteStep => ({ ...step, command, picks: [first, second, 1] })),
  );
const mostlyNothing = fc.oneof(
  { weight: 9, arbitrary: fc.constant<WriteStep[]>([]) },
  { weight: 1, arbitrary: pair },
);

export const writeScript: fc.Arbitrary<WriteStep[]> = fc
  .tuple(
    mostlyNothing,
    fc.oneof<fc.Arbitrary<WriteStep[]>[]>(secret, replacedSecret),
    fc.array(beginning, { maxLength: 2 }),
    fc.array(any, { minLength: 5, maxLength: 9 }),
  )
  .map((parts) => parts.flat());
