import fc from "fast-check";
import { type Grantee, type Group, type Person, type Role, sessions } from "./world-model.ts";

/** One line that somebody types. Numbers pick among existing things, so that a script works after any history. */
export type Step =
  | { does: "mkdir"; who: Person; at: number; name: string }
  | { does: "put"; who: Person; at: number; name: string; content: string }
  | { does: "move"; who: Person; node: number; at: number }
  | { does: "rename"; who: Person; node: number; name: string }
  | { does: "copy"; who: Person; node: number; at: number }
  | { does: "delete"; who: Person; node: number }
  | { does: "restore"; who: Person; node: number }
  | { does: "purge"; who: Person; node: number }
  | { does: "grant"; who: Person; node: number; grantee: Grantee; role: Role }
  | { does: "revoke"; who: Person; node: number; grantee: Grantee }
  | { does: "restrict"; who: Person; node: number }
  | { does: "inherit"; who: Person; node: number }
  | { does: "join"; group: Group; member: Grantee }
  | { does: "leave"; group: Group; member: Grantee }
  | { does: "undo" };

const name = fc.constantFrom("a", "b", "c.txt", "d");
const content = fc.constantFrom("one", "two", "three");
const pick = fc.nat(50);
/** Mostly people with the right: a world in which everything is refused shows little. */
const who = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Person>("owner") },
  { weight: 3, arbitrary: fc.constantFrom<Person>("ann", "ben", "cai") },
  { weight: 1, arbitrary: fc.constant<Person>("root") },
  { weight: 2, arbitrary: fc.constantFrom<Person>(...sessions) },
);
const anybody = fc.constantFrom<Person>("owner", "ann", "ben", "cai");
const named = fc.constantFrom<Grantee>("ann", "ben", "cai", "bot", "inner", "outer");
const grantee = fc.oneof(
  { weight: 6, arbitrary: named },
  { weight: 1, arbitrary: fc.constant<Grantee>("everyone") },
);
const role = fc.constantFrom<Role>("viewer", "viewer", "editor", "owner");
const group = fc.constantFrom<Group>("inner", "outer");

export const worldStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("mkdir"), who, at: pick, name }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("put"), who, at: pick, name, content }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("move"), who, node: pick, at: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("rename"), who, node: pick, name }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("copy"), who: anybody, node: pick, at: pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("delete"), who, node: pick }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("restore"), who, node: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("purge"), who, node: pick }) },
  { weight: 6, arbitrary: fc.record({ does: fc.constant("grant"), who, node: pick, grantee, role }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("revoke"), who, node: pick, grantee }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("restrict"), who, node: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("inherit"), who, node: pick }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("join"), group, member: named }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leave"), group, member: named }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("undo") }) },
) as fc.Arbitrary<Step>;

/** Folders first, so that there is something to hide; then anything. */
export const worldScript: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(fc.record({ does: fc.constant("mkdir"), who: fc.constant("owner"), at: pick, name }), {
      minLength: 3,
      maxLength: 4,
    }),
    fc.array(worldStep, { minLength: 4, maxLength: 14 }),
  )
  .map(([folders, steps]) => [...(folders as Step[]), ...steps]);
