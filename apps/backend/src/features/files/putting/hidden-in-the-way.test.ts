import { createHash } from "node:crypto";
import { describe, expect } from "vitest";
import { type FilesTown, test } from "../../../../testing/files-test.ts";

const secret = "Salaries: 120,000";
const digest = createHash("sha256").update(secret).digest("hex");

/** `/plans` with a file and a folder that the editor cannot see, and a file that they can only read. */
async function plansWithSecrets(town: FilesTown): Promise<{ editor: string; hiddenIds: string[] }> {
  const editor = await town.person("Ed", "editor");
  await town.run("files mkdir /plans");
  const file = await town.put("/plans/secret", secret);
  const folder = await town.run<{ id: string }>("files mkdir /plans/board");
  await town.put("/plans/board/minutes.txt", secret);
  await town.put("/plans/published.txt", secret);
  for (const path of ["secret", "board", "published.txt"]) await town.run(`access restrict /plans/${path}`);
  await town.run("access grant /plans/published.txt Ed --role viewer");
  return { editor, hiddenIds: [(file.body.data as { id: string }).id, folder.id] };
}

describe("a folder upload cannot replace a file the caller cannot see", () => {
  for (const flag of ["", " --dry-run"]) {
    for (const [what, content] of [
      ["different content", "Salaries: 1"],
      ["identical content", secret],
    ] as const) {
      test(`a hidden file in the way, met with ${what}${flag}`, async ({ town }) => {
        const { editor, hiddenIds } = await plansWithSecrets(town);
        const single = await town.backend.send(
          editor,
          town.words(`files put ./secret /plans/secret${flag}`),
          content,
        );
        const folder = await town.as(editor).putFolder(`files put ./plans /${flag}`, { secret: content });
        expect(single.body).toMatchObject({
          code: "conflict",
          detail: expect.stringContaining("/plans/secret"),
        });
        // The line of a folder does not name the file, so its refusal leads nowhere.
        const { next, ...told } = withoutRequest(single.body);
        expect(next).toMatchObject({ command: "files stat", arguments: { target: "/plans/secret" } });
        expect(withoutRequest(folder.body)).toEqual(told);
        for (const word of [...hiddenIds, digest, String(secret.length)]) {
          expect(JSON.stringify(withoutRequest(folder.body))).not.toContain(word);
        }
        expect(await town.cat("/plans/secret")).toBe(secret);
        expect(await town.run("files versions /plans/secret")).toMatchObject({ items: [{ version: 1 }] });
      });
    }

    test(`does not compare a file that the caller can only read${flag}`, async ({ town }) => {
      const { editor } = await plansWithSecrets(town);
      const line = `files put ./plans /${flag}`;
      const answer = await town.as(editor).putFolder(line, { "published.txt": secret, "new.txt": "x" });
      expect(answer.body.code).toBe("not_permitted");
    });
  }

  test("a hidden file and a hidden folder look alike, whatever is put there", async ({ town }) => {
    const { editor } = await plansWithSecrets(town);
    await town.as(editor).put("/mine.txt", "mine");
    const attempts = (name: string) => [
      town.as(editor).putFolder("files put ./plans /", { [name]: "x" }),
      town.as(editor).putFolder("files put ./plans /", { [`${name}/x.txt`]: "x" }),
      town.as(editor).putFolder(`files put ./${name} /plans/`, { "x.txt": "x" }),
      town.as(editor).put(`/plans/${name}`, "x"),
      town.as(editor).put(`/plans/${name}/`, "x"),
      town.as(editor).put(`/plans/${name}/x.txt`, "x"),
      town.as(editor).type(`files mkdir /plans/${name}`),
      town.as(editor).type(`files mkdir /plans/${name}/x`),
      town.as(editor).type(`files copy /mine.txt /plans/${name}`),
      town.as(editor).type(`files copy /mine.txt /plans/${name}/`),
      town.as(editor).type(`files move /mine.txt /plans/${name}`),
      town.as(editor).type(`files move /mine.txt /plans/${name}/`),
      town.as(editor).type(`files touch /plans/${name}`),
      town.as(editor).type(`files delete /plans/${name}`),
      town.as(editor).type(`files rename /plans/${name} other`),
    ];
    const file = await Promise.all(attempts("secret"));
    const folder = await Promise.all(attempts("board"));
    const told = (answers: typeof file, name: string) =>
      answers.map(({ body }) => JSON.stringify(withoutRequest(body)).replaceAll(name, "…"));
    expect(told(file, "secret")).toEqual(told(folder, "board"));
    expect(file.map(({ body }) => body.code)).toEqual([
      "conflict",
      "conflict",
      "conflict",
      "conflict",
      "not_found",
      "not_found",
      "conflict",
      "not_found",
      "conflict",
      "not_found",
      "conflict",
      "not_found",
      "not_found",
      "not_found",
      "not_found",
    ]);
  });

  test("renaming or restoring onto a hidden name is a conflict and replaces nothing", async ({ town }) => {
    const { editor } = await plansWithSecrets(town);
    await town.run("files move /plans/secret /plans/elsewhere");
    const { body } = await town.as(editor).put("/plans/secret", "mine");
    const { id } = await town.as(editor).run<{ id: string }>("files delete /plans/secret");
    await town.run("files move /plans/elsewhere /plans/secret");
    expect((await town.as(editor).type(`files restore ${id}`)).body.code).toBe("conflict");
    expect((await town.as(editor).undo(body.operation)).body.code).toMatch(/conflict|not_found/);
    await town.as(editor).put("/plans/mine", "mine");
    expect((await town.as(editor).type("files rename /plans/mine secret")).body.code).toBe("conflict");
    expect(await town.cat("/plans/secret")).toBe(secret);
  });

  test("a file over a folder, and a folder over a file, are conflicts", async ({ town }) => {
    await town.run("files mkdir /plans");
    await town.run("files mkdir /plans/a");
    await town.put("/plans/b", "x");
    expect((await town.putFolder("files put ./plans /", { a: "x" })).body.code).toBe("conflict");
    expect((await town.putFolder("files put ./plans /", { "b/c.txt": "x" })).body.code).toBe("conflict");
    expect((await town.putFolder("files put ./b /plans/", { "c.txt": "x" })).body.code).toBe("conflict");
  });
});

function withoutRequest({ instance, requestId, ...body }: Record<string, unknown>): Record<string, unknown> {
  return body;
}
