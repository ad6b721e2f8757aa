import { expect, test } from "vitest";
import { TestTerminal } from "../../testing/test-terminal.ts";
import { showCode } from "./show-code.ts";

const code = {
  deviceCode: "the secret one",
  userCode: "ABCD-EFGH",
  verificationUri: "https://login.example/device",
  verificationUriComplete: "https://login.example/device?user_code=ABCD-EFGH",
  expiresAt: 0,
  interval: 5,
};
const remote = { SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" };

test("says where to go and what to type, and nothing else without a terminal", async () => {
  const terminal = new TestTerminal();
  await showCode(code, { terminal, environment: remote });
  expect(terminal.remarks).toBe(
    "To log in, open this page and enter the code:\n\n  https://login.example/device\n  ABCD-EFGH\n\n",
  );
  expect(terminal.printed.length).toBe(0);
});

test("copies the code and draws a QR code if the browser is elsewhere", async () => {
  const terminal = new TestTerminal({ isRich: true });
  await showCode(code, { terminal, environment: remote });
  const copied = Buffer.from("ABCD-EFGH").toString("base64");
  expect(terminal.remarks).toContain(`\u001b]52;c;${copied}\u0007`);
  expect(terminal.remarks).toContain("██ █▄▄▄█ █");
  expect(terminal.remarks).not.toContain("the secret one");
});

test("prints nothing that a terminal would obey", async () => {
  const terminal = new TestTerminal();
  await showCode({ ...code, userCode: "A\u001b[2J\nB" }, { terminal, environment: remote });
  expect(terminal.remarks).toContain("A\\u{1b}[2J\\nB");
});
