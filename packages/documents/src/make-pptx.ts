import type { DocumentContent } from "./document-content.ts";
import { makeOpenXmlPackage } from "./open-xml-package.ts";
import { escapeXml } from "./xml.ts";

const namespaces =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** One slide for each document: its title and its paragraphs. Without a master, which PowerPoint itself requires. */
export function makePptx(slides: readonly DocumentContent[]): Buffer {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 1}"/>`);
  return makeOpenXmlPackage([
    {
      name: "ppt/presentation.xml",
      contentType: "officedocument.presentationml.presentation.main+xml",
      xml: `<p:presentation ${namespaces}><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
      relationships: slides.map((_, index) => ({ type: "slide", target: `slides/slide${index + 1}.xml` })),
    },
    ...slides.map((slide, index) => ({
      name: `ppt/slides/slide${index + 1}.xml`,
      contentType: "officedocument.presentationml.slide+xml",
      xml: slideXml(slide),
    })),
  ]);
}

function slideXml({ title, paragraphs }: DocumentContent): string {
  const shapes = shape(2, [title]) + shape(3, paragraphs);
  return `<p:sld ${namespaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
}

function shape(id: number, paragraphs: readonly string[]): string {
  const lines = paragraphs.map((text) => `<a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p>`);
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="Text ${id}"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>` +
    `<p:txBody><a:bodyPr/>${lines.join("")}</p:txBody></p:sp>`
  );
}
