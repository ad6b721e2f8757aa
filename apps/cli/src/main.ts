#!/usr/bin/env node
import { run } from "./run.ts";

// `svc … | head` closes the pipe early: that is the reader's right, and no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await run(process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  isWatched: process.stderr.isTTY === true,
  input: process.stdin,
  output: process.stdout,
});
