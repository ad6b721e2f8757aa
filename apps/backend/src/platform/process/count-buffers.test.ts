import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { countBuffersFlag } from "./count-buffers.ts";

// V8 ignores a flag that it does not know, and other versions have others.
test("V8 knows the flag, and does not set it by itself", () => {
  const flags = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(flags).toContain(`default: ${countBuffersFlag.replace("--", "--no-")}\n`);
});
