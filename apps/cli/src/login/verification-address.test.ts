import { expect, test } from "vitest";
import { verificationAddress } from "./verification-address.ts";

test.for([
  ["https://login.example/device", "https://login.example/device"],
  ["https://LOGIN.example/device?user_code=A B", "https://login.example/device?user_code=A%20B"],
  ["https://auth.login.example/x", "https://auth.login.example/x"],
  ["https://login.example\\@evil.com/", "https://login.example/@evil.com/"],
  ["https://login.example:8443/\u001b[31m", "https://login.example:8443/%1B[31m"],
] as const)("accepts %s", ([text, address]) => {
  expect(verificationAddress(text, "login.example")).toBe(address);
});

test.for([
  "http://login.example/device",
  "https://example/device",
  "https://evil.example/device",
  "https://login.example.evil.com/device",
  "https://evillogin.example/device",
  "https://login.example@evil.com/device",
  "https://mina:x@login.example/device",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "--help",
  "",
])("refuses %s", (text) => {
  expect(() => verificationAddress(text, "login.example")).toThrow("which is another site");
});
