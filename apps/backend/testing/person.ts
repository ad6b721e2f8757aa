import type { CliReply, TestBackend } from "./test-backend.ts";

type Line = string | string[];

/** Somebody who types lines, in one workspace if there is one. */
export class Person {
  readonly backend: TestBackend;
  readonly token: string;
  readonly #workspace: string | undefined;

  constructor(backend: TestBackend, token: string, workspace?: string) {
    this.backend = backend;
    this.token = token;
    this.#workspace = workspace;
  }

  type(line: Line): Promise<CliReply> {
    return this.backend.type(this.token, this.words(line));
  }

  /** The data of an answer; anything but success is a mistake in the test. */
  // biome-ignore lint/suspicious/noExplicitAny: what a command answers is what its test says
  run<Data = any>(line: Line): Promise<Data> {
    return this.backend.run<Data>(this.token, this.words(line));
  }

  /** Types a line that names one local file, and sends that file. */
  send(line: Line, content: string | Uint8Array): Promise<CliReply> {
    return this.backend.send(this.token, this.words(line), content);
  }

  put(path: string, content: string | Uint8Array): Promise<CliReply> {
    return this.send(["files", "put", `./${path.slice(path.lastIndexOf("/") + 1)}`, path], content);
  }

  /** A folder with these files. A name that ends with a slash is a folder. */
  putFolder(line: Line, files: Record<string, string>): Promise<CliReply> {
    return this.backend.sendFolder(this.token, this.words(line), files);
  }

  /** Files, and folders with these files, by their paths in the line. */
  putSources(line: Line, sources: Record<string, string | Record<string, string>>): Promise<CliReply> {
    return this.backend.sendSources(this.token, this.words(line), (path) => sources[path] ?? "");
  }

  /** Every path that they see, folders with a slash at the end. */
  async tree(folder = "/"): Promise<string[]> {
    const { nodes } = await this.run<{ nodes: { path: string; kind: string }[] }>([
      "files",
      "tree",
      folder,
      "--depth",
      "50",
    ]);
    return nodes.map(({ path, kind }) => (kind === "folder" ? `${path}/` : path));
  }

  async cat(path: string): Promise<string> {
    return (await this.run<{ text: string }>(["files", "cat", path])).text;
  }

  undo(operation: string | undefined): Promise<CliReply> {
    return this.backend.type(this.token, ["operations", "undo", operation ?? ""]);
  }

  words(line: Line): string[] {
    const words = typeof line === "string" ? line.split(" ") : line;
    return this.#workspace === undefined ? words : [...words, "--workspace", this.#workspace];
  }
}
