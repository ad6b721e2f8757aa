import type { FolderAnswer } from "@svc/protocol/exchange";
import { expect, test, vi } from "vitest";
import { withRenewal } from "./renewable-address.ts";

const folder = (href: string): FolderAnswer => ({
  kind: "folder",
  name: "box",
  folders: [],
  files: [],
  href,
});

test("several that find the address expired at the same moment share one new address", async () => {
  const sendAgain = vi.fn(async () => folder("new"));
  const { renew = async () => "" } = withRenewal(folder("old"), sendAgain);
  expect(await Promise.all([renew("old"), renew("old"), renew("old")])).toEqual(["new", "new", "new"]);
  expect(await renew("old")).toBe("new");
  expect(sendAgain).toHaveBeenCalledTimes(1);
});

test("an attempt that fails does not end the next one", async () => {
  const sendAgain = vi.fn(async () => folder("new")).mockRejectedValueOnce(new Error("cut"));
  const { renew = async () => "" } = withRenewal(folder("old"), sendAgain);
  await expect(renew("old")).rejects.toThrow("cut");
  expect(await renew("old")).toBe("new");
});
