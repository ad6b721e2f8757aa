import { makeZip } from "./make-zip.ts";
import { xmlDeclaration } from "./xml.ts";

export interface OpenXmlPart {
  name: string;
  contentType: string;
  xml: string;
  /** Targets of its relationships `rId1`, `rId2` …, with their types. */
  relationships?: readonly { type: string; target: string }[];
}

const relationshipTypes = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The package format of DOCX, PPTX and XLSX; its first part is the main one. */
export function makeOpenXmlPackage(parts: readonly OpenXmlPart[]): Buffer {
  const [main] = parts;
  if (!main) throw new Error("a package has a part");
  return makeZip([
    { name: "[Content_Types].xml", content: contentTypes(parts) },
    { name: "_rels/.rels", content: relationships([{ type: "officeDocument", target: main.name }]) },
    ...parts.flatMap((part) => [
      { name: part.name, content: xmlDeclaration + part.xml },
      ...(part.relationships
        ? [{ name: relationshipsName(part.name), content: relationships(part.relationships) }]
        : []),
    ]),
  ]);
}

function contentTypes(parts: readonly OpenXmlPart[]): string {
  const overrides = parts.map(
    ({ name, contentType }) =>
      `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-${contentType}"/>`,
  );
  return (
    `${xmlDeclaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`
  );
}

function relationships(targets: readonly { type: string; target: string }[]): string {
  const elements = targets.map(
    ({ type, target }, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationshipTypes}/${type}" Target="${target}"/>`,
  );
  return `${xmlDeclaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${elements.join("")}</Relationships>`;
}

function relationshipsName(part: string): string {
  const slash = part.lastIndexOf("/");
  return `${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`;
}
