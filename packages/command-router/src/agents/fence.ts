import { randomBytes } from "node:crypto";
import type { Run } from "@svc/protocol/styles";
import { joinLines, type Text } from "@svc/rendering/styled-text";

/** Puts other people's text between two lines that it cannot imitate. */
export type Fence = (text: Text) => Run[];

/** For one answer: nobody knew its code when the text was written. */
export function newFence(): Fence {
  const code = randomBytes(8).toString("hex");
  return (text) => joinLines([`--- begin untrusted ${code} ---`, text, `--- end untrusted ${code} ---`]);
}
