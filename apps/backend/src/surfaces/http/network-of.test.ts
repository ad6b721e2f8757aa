import { expect, test } from "vitest";
import { networkOf } from "./network-of.ts";

test.for([
  ["192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:0201", "192.0.2.1", "192.0.2.1"],
  ["0:0:0:0:0:FFFF:192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", "2001:db8:0:0", "2001:db8:0"],
  ["2001:db8:0:0:ffff::1", "2001:db8:0:0", "2001:db8:0"],
  ["2001:0DB8:0:1::", "2001:db8:0:1", "2001:db8:0"],
  ["2001:db8:1:2:3:4:192.0.2.1", "2001:db8:1:2", "2001:db8:1"],
  ["fe80::1%eth0", "fe80:0:0:0", "fe80:0:0"],
  ["::1", "0:0:0:0", "0:0:0"],
  ["not an address", "not an address", "not an address"],
] as const)("%s counts as %s, and for visitors of the demo as %s", ([address, network, wide]) => {
  expect([networkOf(address), networkOf(address, 48)]).toEqual([network, wide]);
});
