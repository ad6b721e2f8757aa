#!/usr/bin/env bun
import { build } from "./build.ts";

// Nothing else is loaded for it: --version answers at once, whatever is broken.
if (process.argv.length === 3 && process.argv[2] === "--version") {
  process.stdout.write(`svc ${build.version}\n`);
} else {
  const { runHere } = await import("./run-here.ts");
  await runHere(process.argv.slice(2));
}
