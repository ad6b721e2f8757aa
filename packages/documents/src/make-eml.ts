export interface Mail {
  subject: string;
  from: string;
  to: string;
  paragraphs: readonly string[];
  date?: Date;
  attachments?: readonly { name: string; content: Uint8Array }[];
}

const boundary = "=_svc_boundary";
const sampleDate = new Date("2026-11-06T01:00:00Z");

export function makeEml({
  subject,
  from,
  to,
  paragraphs,
  date = sampleDate,
  attachments = [],
}: Mail): Buffer {
  const body = part("text/plain; charset=utf-8", [], Buffer.from(paragraphs.join("\r\n\r\n")));
  const files = attachments.map(({ name, content }) =>
    part(
      "application/octet-stream",
      [`Content-Disposition: attachment; filename="${encodeWord(name)}"`],
      content,
    ),
  );
  const lines = [
    `From: ${encodeWord(from)}`,
    `To: ${encodeWord(to)}`,
    `Subject: ${encodeWord(subject)}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    "Message-ID: <sample@example.test>",
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    ...[body, ...files].flatMap((one) => [`--${boundary}`, one]),
    `--${boundary}--`,
    "",
  ];
  return Buffer.from(lines.join("\r\n"));
}

function part(type: string, headers: readonly string[], content: Uint8Array): string {
  const lines =
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [`Content-Type: ${type}`, ...headers, "Content-Transfer-Encoding: base64", "", ...lines].join(
    "\r\n",
  );
}

/** RFC 2047 if the text is not ASCII; an address in angle brackets stays unchanged. */
function encodeWord(text: string): string {
  const bracket = text.endsWith(">") ? text.lastIndexOf(" <") : -1;
  const [words, address] = bracket === -1 ? [text, ""] : [text.slice(0, bracket), text.slice(bracket)];
  if (/^[ -~]*$/.test(words)) return text;
  return `=?utf-8?B?${Buffer.from(words).toString("base64")}?=${address}`;
}
