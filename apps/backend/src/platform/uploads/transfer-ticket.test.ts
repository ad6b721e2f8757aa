import { randomUUID } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterEach, expect, test, vi } from "vitest";
import type { Caller } from "../identity/caller.ts";
import { TransferTickets } from "./transfer-ticket.ts";

const secret = "a secret of at least thirty-two characters";
const clock = async () => () => new Date();
const tickets = new TransferTickets(secret, clock);
const download = {
  command: "files get",
  id: "file_1",
  version: 2,
  name: "report.pdf",
  size: 12,
  sha256: "ab".repeat(32),
  mediaType: "application/pdf",
};
const call = { id: randomUUID(), askedAt: Date.now() };
const upload = { call, upload: 0, path: "./report.pdf", maxBytes: 100, command: "files put" };
const refused = { code: "not_found" };

function callerOf(tenantId: string): Caller {
  return {
    actor: { id: randomUUID(), kind: "human", name: "Rin", isAdministrator: false },
    tenant: { id: tenantId, name: "Kumo" },
    credential: { kind: "access_token" },
    scopes: ["*"],
  };
}
const tenantId = randomUUID();
const rin = callerOf(tenantId);

afterEach(() => {
  vi.useRealTimers();
});

test("returns its contents to its own actor", async () => {
  expect(await tickets.openDownload(rin, await tickets.signDownload(rin, download))).toEqual(download);
  expect(await tickets.openFolder(rin, await tickets.signFolder(rin, download))).toEqual({
    command: "files get",
    id: "file_1",
  });
  expect(await tickets.openUpload(rin, await tickets.signUpload(rin, upload))).toEqual(upload);
  const continuation = {
    call,
    argvDigest: "digest",
    uploads: [{ argument: "source", path: "./report.pdf" }],
  };
  expect(await tickets.openContinuation(rin, await tickets.signContinuation(rin, continuation))).toEqual(
    continuation,
  );
});

test("is useless to another actor, and to the same actor in another tenant", async () => {
  const ticket = await tickets.signDownload(rin, download);
  await expect(tickets.openDownload(callerOf(tenantId), ticket)).rejects.toMatchObject(refused);
  const elsewhere = { ...rin, tenant: { id: randomUUID(), name: "Other" } };
  await expect(tickets.openDownload(elsewhere, ticket)).rejects.toMatchObject(refused);
});

test("serves one purpose", async () => {
  const forDownload = await tickets.signDownload(rin, download);
  await expect(tickets.openFolder(rin, forDownload)).rejects.toMatchObject(refused);
  const forFolder = await tickets.signFolder(rin, { command: "files get", id: "fold_1" });
  await expect(tickets.openDownload(rin, forFolder)).rejects.toMatchObject(refused);
  const forUpload = await tickets.signUpload(rin, upload);
  await expect(tickets.openDownload(rin, forUpload)).rejects.toMatchObject(refused);
  await expect(tickets.openContinuation(rin, forUpload)).rejects.toMatchObject(refused);
  const both = { ...download, ...upload };
  await expect(tickets.openUpload(rin, await tickets.signDownload(rin, both))).rejects.toMatchObject(refused);
});

test("a download expires after five minutes, and says so to its own caller", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ticket = await tickets.signDownload(rin, download);
  vi.advanceTimersByTime(5 * 60_000 - 2_000);
  expect(await tickets.openDownload(rin, ticket)).toEqual(download);
  vi.advanceTimersByTime(3_000);
  await expect(tickets.openDownload(rin, ticket)).rejects.toMatchObject({ code: "address_expired" });
  await expect(tickets.openDownload(callerOf(tenantId), ticket)).rejects.toMatchObject(refused);
  const { credential, ...others } = rin;
  const second = { ...others, credential: { ...credential, id: randomUUID() } };
  await expect(tickets.openDownload(second, ticket)).rejects.toMatchObject(refused);
});

test("a change in any of its parts is refused", async () => {
  const ticket = await tickets.signDownload(rin, download);
  const [header = "", payload = "", signature = ""] = ticket.split(".");
  const larger = JSON.parse(Buffer.from(payload, "base64url").toString());
  larger.ticket.sha256 = "cd".repeat(32);
  const forged = Buffer.from(JSON.stringify(larger)).toString("base64url");
  for (const text of [
    `${header}.${forged}.${signature}`,
    `${header}.${payload}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    "nonsense",
    "",
  ]) {
    await expect(tickets.openDownload(rin, text)).rejects.toMatchObject(refused);
  }
});

test("cannot be forged with another secret, no signature, or invalid contents", async () => {
  const elsewhere = new TransferTickets("another secret of thirty-two characters and more", clock);
  const unsigned = new UnsecuredJWT({ ticket: download })
    .setSubject(rin.actor.id)
    .setAudience(rin.tenant.id)
    .setExpirationTime("1h")
    .encode();
  const empty = await new SignJWT({ ticket: {} })
    .setProtectedHeader({ alg: "HS256", typ: "svc-download" })
    .setSubject(rin.actor.id)
    .setAudience(rin.tenant.id)
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(secret));
  for (const text of [await elsewhere.signDownload(rin, download), unsigned, empty]) {
    await expect(tickets.openDownload(rin, text)).rejects.toMatchObject(refused);
  }
});
