import PostalMime, { type Address, type Email } from "postal-mime";
import type { DocumentFile } from "./document-file.ts";
import { maxMarkupBytes } from "./extraction-limits.ts";
import { ReadingEnded } from "./reading-ended.ts";
import type { TextOutput } from "./text-output.ts";
import { writeHtml } from "./write-html.ts";

/** Sender, recipients, subject and text, and the names of attachments, which are not opened. */
export async function readMail(document: DocumentFile, text: TextOutput): Promise<void> {
  const bytes = document.readStart(maxMarkupBytes);
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: "arraybuffer" });
  const people = [mail.from, ...(mail.to ?? []), ...(mail.cc ?? [])].flatMap((address) =>
    shownAddresses(address),
  );
  text.write([mail.subject ?? "", ...people, ""].join("\n"));
  writeBody(mail, text);
  for (const { filename } of mail.attachments) {
    if (filename !== null) text.write(`\n${filename}`);
  }
  if (bytes.length < document.size) throw new ReadingEnded("truncated");
}

function writeBody(mail: Email, text: TextOutput): void {
  if (mail.text?.trim()) text.write(mail.text);
  else if (mail.html !== undefined) writeHtml(mail.html, text);
}

function shownAddresses(address: Address | undefined): string[] {
  if (address === undefined) return [];
  const members = address.group?.flatMap((member) => shownAddresses(member)) ?? [];
  return [[address.name, address.address].filter(Boolean).join(" "), ...members];
}
