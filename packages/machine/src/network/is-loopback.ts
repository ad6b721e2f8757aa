const address = /^(127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
const name = /^(.+\.)?localhost\.?$/;

/** Whether an address is of this machine: what goes there never leaves it. URL has brought it into its shortest form. */
export function isLoopback({ hostname }: URL): boolean {
  return address.test(hostname) || name.test(hostname);
}
