import { localS3 } from "./local-server/local-s3.ts";
import { startRooted, stopRooted } from "./local-server/rooted-server.ts";
import { runServerTool } from "./local-server/run-server-tool.ts";

/** `up` prints where the endpoint is, and with which keys, as one line of JSON. */
await runServerTool("s3", {
  up: async () => JSON.stringify(await startRooted(localS3)),
  down: () => stopRooted(localS3),
});
