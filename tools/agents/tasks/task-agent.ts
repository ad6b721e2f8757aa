import { countTokens } from "../count-tokens.ts";
import type { Credential, SampleOffice, ToolResult } from "../office/sample-office.ts";

type Data = Record<string, unknown>;

/** What lists answer with. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** What an agent wants and may not do alone: a person decides, and then the same call is repeated. */
export interface Asked {
  approval: string;
  repeat(): Promise<Data>;
}

/** Works by tools only, and counts what its model would write and read. */
export class TaskAgent {
  calls = 0;
  tokens = 0;
  readonly #office: SampleOffice;
  readonly #credential: Credential;
  readonly #listed: ReadonlySet<string>;

  constructor(office: SampleOffice, credential: Credential, listed: ReadonlySet<string>) {
    this.#office = office;
    this.#credential = credential;
    this.#listed = listed;
  }

  /** One call, whatever comes of it. */
  async call(tool: string, given: Data): Promise<ToolResult> {
    const result = await this.#office.tool(this.#credential, tool, given);
    this.calls += 1;
    this.tokens += countTokens(JSON.stringify({ name: tool, arguments: given }));
    for (const { text } of result.content) this.tokens += countTokens(text);
    return result;
  }

  /** A command that is not in the list of tools: finds it by what it does, and reads how it is called. */
  async find(intent: string, command: string): Promise<void> {
    const { commands } = (await this.call("commands_search", { intent })).structuredContent as {
      commands?: { command: string }[];
    };
    if (!commands?.some((found) => found.command === command)) {
      throw new Error(`"${intent}" does not find ${command}`);
    }
    await this.call("commands_describe", { command });
  }

  async read<Result = Data>(command: string, given: Data = {}): Promise<Result> {
    return dataOf(await this.#run(command, given)) as Result;
  }

  /** A call that has to be refused; what the agent is told. */
  async refused(command: string, given: Data): Promise<{ code: string; detail: string; hint?: string }> {
    const { isError, structuredContent } = await this.#run(command, given);
    if (isError !== true) throw new Error(`${command} is not refused`);
    return structuredContent as { code: string; detail: string; hint?: string };
  }

  /** Looks at the preview, then commits it. */
  async change<Result = Data>(command: string, given: Data): Promise<Result> {
    const confirm = await this.#preview(command, given);
    const result = dataOf(await this.#run(command, { ...given, confirm }));
    if (result.operation === undefined) throw new Error(`${command} is not committed`);
    return result as Result;
  }

  async ask(command: string, given: Data): Promise<Asked> {
    const confirmed = { ...given, confirm: await this.#preview(command, given) };
    const { code, detail, hint } = await this.refused(command, confirmed);
    const [approval] = /appr_\w+/.exec(`${detail} ${hint}`) ?? [];
    if (code !== "approval_pending" || approval === undefined)
      throw new Error(`${command}: ${code} ${detail}`);
    return { approval, repeat: async () => dataOf(await this.#run(command, confirmed)) };
  }

  async #preview(command: string, given: Data): Promise<string> {
    const { preview, operation } = dataOf(await this.#run(command, given)) as ToolResult["structuredContent"];
    if (preview === undefined || operation !== undefined) throw new Error(`${command} is not previewed`);
    return preview.token;
  }

  #run(command: string, given: Data): Promise<ToolResult> {
    const tool = command.replaceAll(/[ -]/g, "_");
    if (this.#listed.has(tool)) return this.call(tool, given);
    const { workspace, confirm, ...args } = given;
    return this.call("commands_run", {
      command,
      arguments: args,
      ...(workspace === undefined ? {} : { workspace }),
      ...(confirm === undefined ? {} : { confirm }),
    });
  }
}

function dataOf({ isError, structuredContent }: ToolResult): Data {
  if (isError) throw new Error(`${structuredContent.code}: ${structuredContent.detail}`);
  return structuredContent;
}
