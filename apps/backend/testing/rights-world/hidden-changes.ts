import { contents } from "./search-question.ts";

/** A line that the administrator types; its words may name the id that an earlier line answered. */
interface HiddenChange {
  line: (id: string) => string[];
  content?: string;
  /** Answers are compared after the next one. */
  isFirstOfTwo?: true;
}

const name = "alder birch cedar notes dogwood zeppelin";
/** Words of the rough queries as typed, what others could mean, and German. */
const text = [
  "grannite lantern zeppelin harbour edelwiess quartz alderbirch marmits granit kajakk kaiak aldr",
  "Die Häuser stehen an der Straße, und die Bücher liegen auf dem Tisch, weil es nicht regnet.",
].join(" ");

/** Something matches everything, changes, and goes. */
export const hiddenHistories: ((place: string) => HiddenChange[])[] = [
  (place) => [
    put(place, `${contents.join("\n").repeat(3)} ${text}`),
    put(place, "marmot"),
    { line: () => ["files", "delete", `${place}/${name}.txt`] },
  ],
  (place) => [
    { line: () => ["files", "mkdir", `${place}/${name}`], isFirstOfTwo: true },
    put(`${place}/${name}`, text),
    { line: () => ["files", "rename", `${place}/${name}`, "marmit lanterm"] },
    { line: () => ["files", "delete", `${place}/marmit lanterm`] },
  ],
];

/** The same with a record. */
export const hiddenRecords: HiddenChange[] = [
  { line: () => ["records", "create", "papers", "--set", `name=${name}`, "--set", `note=${text}`] },
  { line: (id) => ["records", "update", id, "--set", "note=marmit burrow"] },
  { line: (id) => ["records", "delete", id] },
];

function put(path: string, content: string): HiddenChange {
  return { line: () => ["files", "put", `./${name}.txt`, path === "" ? "/" : path], content };
}
