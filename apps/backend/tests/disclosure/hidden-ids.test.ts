import { encodeId } from "@svc/protocol/typed-id";
import { expect } from "vitest";
import { test } from "../../testing/files-test.ts";

/** What the caller cannot see does not exist: the answer is the same for its id and for an unused one. */
test.for(["files stat", "files touch", "files restore", "access show", "trash purge --dry-run"])(
  "%s reveals nothing about an id to a stranger",
  async (command, { town }) => {
    const stranger = await town.person("Stranger");
    const { body } = await town.put("/plan.md", "plan");
    const { id } = body.data as { id: string };
    if (["files restore", "trash purge --dry-run"].includes(command)) await town.run("files delete /plan.md");
    const absent = encodeId("file", "01900000-0000-7000-8000-000000000000");
    const [hidden, missing] = await Promise.all(
      [id, absent].map(async (target) => {
        const { body: answer } = await town.backend.type(stranger, [...command.split(" "), target]);
        return { code: answer.code, detail: answer.detail?.replace(target, "<id>"), hint: answer.hint };
      }),
    );
    expect(hidden?.code).toBe("not_found");
    expect(hidden).toEqual(missing);
  },
);
