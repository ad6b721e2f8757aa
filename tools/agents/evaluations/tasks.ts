import { median } from "../../bench/quantile.ts";
import { atLeast, atMost } from "../../bench/report.ts";
import type { Evaluation } from "../../evaluate/evaluation.ts";
import { SampleOffice } from "../office/sample-office.ts";
import { changingTasks } from "../tasks/changing-tasks.ts";
import { type Need, needs } from "../tasks/needs.ts";
import { openWorld } from "../tasks/open-world.ts";
import { readingTasks } from "../tasks/reading-tasks.ts";
import { newAgent, runTask, type TaskResult } from "../tasks/run-task.ts";
import { byListing, bySearch } from "../tasks/search-or-list.ts";
import type { Task } from "../tasks/task.ts";
import type { TaskAgent } from "../tasks/task-agent.ts";

const tasks = [...readingTasks, ...changingTasks];
/** How many times fewer tokens a search must cost than listing a workspace and reading its files. */
const savingBar = 5;

/** Scripts stand in for a model: what is shown is that tools suffice, and what they cost, not what a model would choose. */
export default {
  summary: "everyday tasks of an office can be done by tools, and cost few tokens",
  run: () =>
    SampleOffice.with(async (office) => {
      const world = await openWorld(office);
      const searched = [];
      for (const need of needs) searched.push(await compare(office, need));
      const done: ({ task: Task } & TaskResult)[] = [];
      for (const task of tasks) done.push({ task, ...(await runTask(task, world)) });
      const wrong = done.filter((result) => result.wrong !== undefined);
      const savings = searched.map(({ search, workspace }) => workspace / search);
      return {
        tables: [
          {
            title: `${tasks.length} tasks`,
            rows: done.map((result) => ({
              task: result.task.name,
              calls: result.calls,
              tokens: result.tokens,
              "end state": result.wrong === undefined ? "right" : "WRONG",
            })),
          },
          {
            title:
              "Tokens until a question is answered: by search and ranges, and by listing and reading files",
            rows: searched.map(({ question, search, workspace, folder }) => ({
              question,
              search,
              "of the workspace": workspace,
              "times fewer": workspace / search,
              "of the folder": folder,
              "times fewer, then": folder / search,
            })),
          },
        ],
        notes: [
          "`of the folder`: the agent guesses at once which folder has the answer. Requests and answers are counted; the list of tools is not.",
          ...wrong.map((result) => `${result.task.name}: ${result.wrong}`),
        ],
        bars: [
          atLeast("tasks with the right end state", done.length - wrong.length, 20),
          atMost("calls of a reorganisation in five changes", callsOf("bring five things"), 3),
          atLeast("times fewer tokens by search, median", median(savings), savingBar),
          atLeast("times fewer tokens by search, worst", Math.min(...savings), savingBar),
        ],
      };

      function callsOf(name: string): number {
        return done.find(({ task }) => task.name.startsWith(name))?.calls ?? Number.NaN;
      }
    }),
} satisfies Evaluation;

async function compare(office: SampleOffice, need: Need) {
  const cost = async (answer: (agent: TaskAgent) => Promise<void>) => {
    const agent = await newAgent(office, office.person("assistant"));
    await answer(agent);
    return agent.tokens;
  };
  return {
    question: need.question,
    search: await cost((agent) => bySearch(agent, need)),
    workspace: await cost((agent) => byListing(agent, need, "/")),
    folder: await cost((agent) => byListing(agent, need, need.folder)),
  };
}
