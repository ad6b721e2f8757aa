import { expect, test } from "vitest";
import { isLoopback } from "./is-loopback.ts";

test.for([
  "http://127.0.0.1:4310",
  "http://127.1",
  "http://0x7f.0.0.1",
  "http://2130706433",
  "http://127.255.255.254",
  "http://[::1]:4310",
  "http://[0:0:0:0:0:0:0:1]",
  "http://[::ffff:127.0.0.1]",
  "http://[::ffff:7fab:1]",
  "http://localhost",
  "http://LOCALHOST",
  "http://localhost.",
  "http://svc.localhost",
  "https://a.b.localhost.:1",
])("%s is this machine", (address) => {
  expect(isLoopback(new URL(address))).toBe(true);
});

test.for([
  "http://128.0.0.1",
  "http://1.127.0.0",
  "http://10.0.0.1",
  "http://[::2]",
  "http://[::ffff:8.8.8.8]",
  "http://[::ffff:807f:1]",
  "http://localhost.example",
  "http://notlocalhost",
  "http://127.0.0.1.example",
  "http://svc.example",
])("%s is not", (address) => {
  expect(isLoopback(new URL(address))).toBe(false);
});
