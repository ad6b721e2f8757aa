import type { FolderAnswer } from "@svc/protocol/exchange";
import { expect, test, vi } from "vitest";
import { withRenewal } from "./renewable-address.ts";

const folder = (href: string, id = "fold_1"): FolderAnswer => ({
  kind: "folder",
  name: "box",
  id,
  total: { files: 0, bytes: 0 },
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

test("another folder under the same path gives no address", async () => {
  const { renew = async () => "" } = withRenewal(folder("old"), async () => folder("new", "fold_2"));
  await expect(renew("old")).rejects.toThrow("was changed on the server");
});
