import { startLocalS3, stopLocalS3 } from "./local-server/local-s3.ts";

/** `up` prints where the endpoint is, and with which keys, as one line of JSON. */
const commands: Record<string, () => Promise<string>> = {
  up: async () => JSON.stringify(await startLocalS3()),
  down: stopLocalS3,
};

const command = commands[process.argv[2] ?? ""];
if (!command) {
  console.error("usage: node tools/s3.ts up | down");
  process.exit(2);
}
try {
  console.log(await command());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
