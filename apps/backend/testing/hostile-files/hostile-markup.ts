import type { HostileFile } from "./hostile-file.ts";

function numbered(length: number, line: (index: number) => string): string {
  return Array.from({ length }, (_, index) => line(index)).join("");
}

const html: HostileFile[] = [
  {
    what: "a million elements in one another",
    name: "deep.html",
    make: () => Buffer.from(`<p>words${"<div>".repeat(1_000_000)}`),
    outcome: "truncated",
  },
  {
    what: "half a million forms, none closed",
    name: "forms.html",
    make: () => Buffer.from(`<html>words${"<form><table>".repeat(500_000)}`),
    outcome: "truncated",
  },
  {
    what: "ends of what never began",
    name: "ends.html",
    make: () => Buffer.from(`<p>words${"<a>".repeat(9_000)}${"</b>".repeat(1_000_000)}`),
    outcome: "ok",
  },
  {
    what: "a tag of 30 MB",
    name: "tag.html",
    make: () => Buffer.from(`<html>words<p ${"a".repeat(30_000_000)}`),
    outcome: "ok",
  },
  {
    what: "a comment that never ends",
    name: "comment.html",
    make: () => Buffer.from(`<html>words<!--${"- ".repeat(10_000_000)}`),
    outcome: "ok",
  },
  {
    what: "three million entities, half of them unknown",
    name: "entities.html",
    make: () => Buffer.from(`<html>${"&amp;&nothing;".repeat(1_500_000)}`),
    outcome: "truncated",
  },
  {
    what: "40 MB of words",
    name: "long.html",
    make: () => Buffer.from(`<html>${numbered(3_000_000, (index) => `<p>word ${index}`)}`),
    outcome: "truncated",
  },
  {
    what: "a script of 20 MB and no words",
    name: "script.html",
    make: () => Buffer.from(`<html><script>${"<p>".repeat(7_000_000)}`),
    outcome: "empty",
  },
  {
    what: "entities declared in a drawing",
    name: "laughs.svg",
    make: () =>
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY a "lol">]><svg><text>words &a;</text><image href="file:///etc/passwd"/></svg>',
      ),
    outcome: "ok",
  },
  {
    what: "an encoding that does not exist",
    name: "charset.html",
    make: () => Buffer.from('<meta charset="x-nobody"><p>words'),
    outcome: "ok",
  },
];

const rtf: HostileFile[] = [
  {
    what: "a million groups in one another",
    name: "deep.rtf",
    make: () => Buffer.from(`{\\rtf1 words${"{".repeat(1_000_000)}`),
    outcome: "crash",
  },
  {
    what: "a million ends of groups",
    name: "ends.rtf",
    make: () => Buffer.from(`{\\rtf1 words${"}".repeat(1_000_000)}`),
    outcome: "ok",
  },
  {
    what: "binary data of 2 GB that are not there",
    name: "binary.rtf",
    make: () => Buffer.from("{\\rtf1 words\\bin2147483647 x}"),
    outcome: "ok",
  },
  {
    what: "a billion substitutes",
    name: "substitutes.rtf",
    make: () => Buffer.from("{\\rtf1 words\\uc1000000000\\u26481 hidden}"),
    outcome: "ok",
  },
  {
    what: "numbers out of any range",
    name: "numbers.rtf",
    make: () => Buffer.from("{\\rtf1 words\\u99999999999999999999\\f-5\\bin-9\\ansicpg-1 x}"),
    outcome: "ok",
  },
  {
    what: "a picture of 20 MB and no words",
    name: "picture.rtf",
    make: () => Buffer.from(`{\\rtf1{\\pict ${"ff".repeat(10_000_000)}}}`),
    outcome: "empty",
  },
  {
    what: "a control word that is a property of objects",
    name: "constructor.rtf",
    make: () => Buffer.from("{\\rtf1 words\\constructor}"),
    outcome: "ok",
  },
  {
    what: "backslashes only",
    name: "backslashes.rtf",
    make: () => Buffer.from(`{\\rtf1${"\\".repeat(1_000_001)}`),
    outcome: "ok",
  },
];

const mail: HostileFile[] = [
  {
    what: "10,000 parts in one another",
    name: "deep.eml",
    make: () =>
      Buffer.from(
        `From: a@b.c\r\nMIME-Version: 1.0\r\n${numbered(10_000, (index) => `Content-Type: multipart/mixed; boundary="b${index}"\r\n\r\n--b${index}\r\n`)}\r\nwords`,
      ),
    outcome: "crash",
  },
  {
    what: "100,000 parts beside one another",
    name: "wide.eml",
    make: () =>
      Buffer.from(
        `From: a@b.c\r\nSubject: words\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${numbered(100_000, (index) => `--b\r\nContent-Disposition: attachment; filename=${index}.txt\r\n\r\nx\r\n`)}--b--`,
      ),
    outcome: "crash",
  },
  {
    what: "a header of 20 MB",
    name: "header.eml",
    make: () => Buffer.from(`From: a@b.c\r\nSubject: ${"x".repeat(20_000_000)}\r\n\r\nwords`),
    outcome: "crash",
  },
  {
    what: "a million headers",
    name: "headers.eml",
    make: () => Buffer.from(`From: a@b.c\r\n${numbered(1_000_000, (index) => `X-${index}: y\r\n`)}\r\nwords`),
    outcome: "crash",
  },
  {
    what: "a mail within a mail, 2,000 times",
    name: "nested.eml",
    make: () =>
      Buffer.from(
        `${"From: a@b.c\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n".repeat(2_000)}words`,
      ),
    outcome: "ok",
  },
  {
    what: "100,000 addresses in groups that never end",
    name: "addresses.eml",
    make: () => Buffer.from(`From: a@b.c\r\nTo: ${'x:<("'.repeat(100_000)}\r\nMessage-ID: <x>\r\n\r\nwords`),
    outcome: "ok",
  },
  {
    what: "an attachment of 25 MB, which is not unpacked",
    name: "attachment.eml",
    make: () =>
      Buffer.from(
        `From: a@b.c\r\nSubject: words\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Disposition: attachment; filename=a.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n${`${"QUJD".repeat(19)}\r\n`.repeat(330_000)}--b--`,
      ),
    outcome: "ok",
  },
  {
    what: "headers that are not text",
    name: "noise.eml",
    make: () => Buffer.from("From: \xff\xfe\r\nSubject: =?x?Q?=ZZ?= words\r\n\r\n=\xff", "latin1"),
    outcome: "ok",
  },
];

export const hostileMarkup: HostileFile[] = [...html, ...rtf, ...mail];
