import { send } from "../bench/send.ts";
import { countTokens } from "./count-tokens.ts";
import { mcpRequest } from "./mcp-request.ts";

/** How many tokens the list of tools may cost an agent, which pays it with every request to its model. */
export const toolBars = { list: 4_000, one: 500 };

/** `tools/list` as the service answers it, and its longest tool. */
export async function toolTokens(api: { url: string; token: string }) {
  const answer = (await send(mcpRequest("tools/list", {}, api))) as {
    result: { tools: { name: string }[] };
  };
  const { tools } = answer.result;
  const each = tools
    .map((tool) => ({ name: tool.name, tokens: countTokens(JSON.stringify(tool)) }))
    .sort((a, b) => b.tokens - a.tokens);
  const [longest] = each;
  if (!longest) throw new Error("there are no tools");
  return { count: tools.length, list: countTokens(JSON.stringify(tools)), longest };
}
