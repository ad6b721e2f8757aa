import type { Collection } from "./collection.ts";

const texts = [
  "Das Haus steht nicht weit von der Kirche, und der Garten ist groß.",
  "Die Häuser der Straße sind alt, aber die Gärten sind auch schön.",
  "Ein Buch über die Geschichte der Stadt liegt auf dem Tisch.",
  "Die Bücher und die Tische sind nicht neu, sie sind aus den Städten.",
  "Der Vertrag mit der Firma wird im nächsten Jahr nicht verlängert.",
  "Die Verträge mit den Firmen gelten für mehrere Jahre und ohne Frist.",
  "Die Rechnung ist bezahlt, aber das Konto ist noch nicht ausgeglichen.",
  "Alle Rechnungen und alle Konten werden von der Abteilung geprüft.",
];

/** Small enough for CI, and in every clone. */
export function germanCollection(): Collection {
  return {
    name: "german",
    documents: texts.map((text, index) => ({ id: String(index), title: "", text })),
    queries: [],
  };
}
