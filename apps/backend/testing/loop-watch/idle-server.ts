import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A process that only answers: a delay here is caused by the machine. */
const server = createServer((_, answer) => answer.end("ok")).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.once("disconnect", () => process.exit());
