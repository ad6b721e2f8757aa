import { isIP, SocketAddress } from "node:net";

/**
 * What counts as one address: an IPv4 address, however it is written, or a network of IPv6 addresses, because one person
 * has at least 64 bits of them.
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  // Also without the name of an interface, as in fe80::1%eth0.
  const [plain = ""] = address.split("%");
  if (isIP(plain) !== 6) return plain;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 6).join() === "0,0,0,0,0,65535";
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  // guard: one-network-one-address
  const network = groups.slice(0, bits / 16);
  return network.map((group) => group.toString(16)).join(":");
}

/** Eight numbers. The last two may be written as an IPv4 address. */
function groupsOf(address: string): number[] {
  const [head = "", tail = ""] = new SocketAddress({ address, family: "ipv6" }).address.split("::");
  const [left, right] = [numbersOf(head), numbersOf(tail)];
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function numbersOf(text: string): number[] {
  return text.split(":").flatMap((group) => {
    if (group === "") return [];
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
