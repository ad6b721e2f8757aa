const address = /^(127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
const name = /^(.+\.)?localhost\.?$/;

/** Whether an address belongs to this machine: traffic to it never leaves the machine. URL has normalised it. */
export function isLoopback({ hostname }: URL): boolean {
  return address.test(hostname) || name.test(hostname);
}
