import { subscribe } from "node:diagnostics_channel";
import fs, { promises } from "node:fs";
import { type IncomingMessage, ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import pg from "pg";
import { cutHeader } from "./cut-header.ts";

/**
 * Loaded into an API process before anything else (`node --import`). A request with the header says at which cut the
 * process kills itself, counted from there over all requests: every step has two, before it begins and while it is
 * running. Steps are statements to the database, writing calls to the file system, and the answer. An answer says how
 * many cuts were left when it was written.
 */
let cutsLeft = Number.POSITIVE_INFINITY;

subscribe("http.server.request.start", (message) => {
  const sent = (message as { request: IncomingMessage }).request.headers[cutHeader];
  if (sent !== undefined) cutsLeft = Number(sent);
});

function cut(): void {
  cutsLeft -= 1;
  if (cutsLeft === 0) process.kill(process.pid, "SIGKILL");
}

function countSteps(owner: object, names: readonly string[]): void {
  const methods = owner as Record<string, (...values: unknown[]) => unknown>;
  for (const name of names) {
    const step = methods[name];
    if (!step) throw new Error(`there is no ${name} to count`);
    methods[name] = function counted(this: unknown, ...values: unknown[]) {
      cut();
      const begun = step.apply(this, values);
      cut();
      return begun;
    };
  }
}

const handle = await promises.open(process.execPath);
countSteps(Object.getPrototypeOf(handle) as object, ["write", "writeFile", "sync", "truncate"]);
await handle.close();
countSteps(promises, ["mkdir", "open", "rename", "rm"]);
// The calls that file streams use.
countSteps(fs, ["open", "write", "writev", "fsync", "close"]);
syncBuiltinESMExports();
countSteps(pg.Client.prototype, ["query"]);
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function tellingCutsLeft(this: ServerResponse, ...head: unknown[]) {
  if (!this.headersSent && Number.isFinite(cutsLeft)) this.setHeader(cutHeader, cutsLeft);
  return Reflect.apply(writeHead, this, head);
};
countSteps(ServerResponse.prototype, ["writeHead", "end"]);
