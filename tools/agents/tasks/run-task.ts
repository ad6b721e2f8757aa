import { people } from "@svc/sample-company/company";
import { send } from "../../bench/send.ts";
import { mcpRequest } from "../mcp-request.ts";
import type { Credential, SampleOffice } from "../office/sample-office.ts";
import type { Task, TaskWorld } from "./task.ts";
import { TaskAgent } from "./task-agent.ts";

export interface TaskResult {
  calls: number;
  tokens: number;
  /** What differs from what was asked for. */
  wrong: string | undefined;
}

export async function runTask(task: Task, world: TaskWorld): Promise<TaskResult> {
  await task.prepare?.(world);
  const { office } = world;
  const credential = task.onBehalfOf
    ? await openSession(office, world[task.onBehalfOf])
    : office.person("assistant");
  const agent = await newAgent(office, credential);
  const wrong = await task.run(agent, world).then(
    () => undefined,
    (error: Error) => error.message,
  );
  const { calls, tokens } = agent;
  const tooMany = task.mostCalls !== undefined && calls > task.mostCalls;
  return { calls, tokens, wrong: wrong ?? (tooMany ? `${calls} calls, not ${task.mostCalls}` : undefined) };
}

export async function newAgent(office: SampleOffice, credential: Credential): Promise<TaskAgent> {
  return new TaskAgent(office, credential, await listedTools(office));
}

async function openSession(office: SampleOffice, person: Credential): Promise<Credential> {
  const { token, ticket } = await office.run(person, "sessions open", people.assistant.name);
  return { token: String(token), ticket: String(ticket) };
}

async function listedTools(office: SampleOffice): Promise<Set<string>> {
  const { url } = office;
  const answer = (await send(mcpRequest("tools/list", {}, { url, ...office.person("assistant") }))) as {
    result: { tools: { name: string }[] };
  };
  return new Set(answer.result.tools.map(({ name }) => name));
}
