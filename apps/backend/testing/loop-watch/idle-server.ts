import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A process that does nothing but answer: what is late here is late because of the machine. */
const server = createServer((_, answer) => answer.end("ok")).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.once("disconnect", () => process.exit());
