import type { Archive } from "../archive.ts";
import { readXml } from "./read-xml.ts";

export interface Part {
  name: string;
  contentType: string;
}

/** All parts of a package with their types, as `[Content_Types].xml` gives them: one by one or by extension. */
export async function listParts(archive: Archive): Promise<Part[]> {
  const byName = new Map<string, string>();
  const byExtension = new Map<string, string>();
  await readXml(archive.read("[Content_Types].xml"), {
    open(name, { PartName, Extension, ContentType = "" }) {
      if (name === "Override" && PartName !== undefined) byName.set(PartName.replace(/^\//, ""), ContentType);
      if (name === "Default" && Extension !== undefined)
        byExtension.set(Extension.toLowerCase(), ContentType);
    },
  });
  return archive.names.map((name) => {
    const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
    return { name, contentType: byName.get(name) ?? byExtension.get(extension) ?? "" };
  });
}

/** In the order of their numbers: slide2 before slide10. */
export function partsOf(parts: Part[], type: RegExp): string[] {
  return parts
    .filter(({ contentType }) => type.test(contentType))
    .map(({ name }) => name)
    .sort(byNumber);
}

const byNumber = new Intl.Collator("en", { numeric: true }).compare;
