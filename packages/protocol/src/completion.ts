import { z } from "zod";

/** With a line: it is being typed, and must not run. */
export const CompletionRequest = z.strictObject({
  word: z.string().max(8_192).describe("The word at the cursor; `argv` has the words before it"),
  offset: z.int().min(0).max(8_192).describe("How many UTF-16 units of it are left of the cursor"),
});

export const Completion = z.object({
  word: z.string().describe("Takes the place of what was typed of the word; unquoted"),
  meaning: z.string().describe("One line, for people"),
});
export type Completion = z.infer<typeof Completion>;

export const CompletionsAnswer = z
  .object({
    kind: z.literal("completions"),
    completions: z.array(Completion),
    files: z.literal(true).optional().describe("A file on the caller's machine belongs here"),
    maxAge: z.int().describe("For how many seconds the same credential may use this answer again"),
  })
  .meta({ id: "CompletionsAnswer" });
export type CompletionsAnswer = z.infer<typeof CompletionsAnswer>;
