import { parseArgs } from "node:util";
import { Failure } from "@svc/machine/failure";
import type { CallerContext } from "@svc/protocol/caller";
import { exitCode } from "@svc/protocol/exit-code";
import { safeJson } from "@svc/rendering/safe-json";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import { chooseProfile, findProfile, unnamed } from "../credentials/profile.ts";
import { localOptions } from "../local-options.ts";
import type { LocalVerb } from "../local-verb.ts";
import { openService } from "../network/open-service.ts";
import { type Choice, ChosenWorkspaces, type Place } from "../state/chosen-workspace.ts";

const help = `svc use [workspace | - | @profile] [--format json]

Selects the workspace for commands that name none: by name, short name or id.
Without a workspace, shows the current one. With -, goes back to the previous one.
The choice is remembered for this service and this account.
With @profile, switches to that login and its workspace; @${unnamed} is the one without a name.`;

export const use: LocalVerb = {
  help,
  async run(invocation, progress) {
    const { wanted, asJson } = readWords(invocation.typed);
    const { environment, terminal } = invocation;
    const say = async ({ name, id }: Place, stronger: readonly string[]) => {
      await terminal.out(
        asJson ? `${safeJson({ id, name })}\n` : `${toTerminalLine(name)}  ${toTerminalLine(id)}\n`,
      );
      for (const variable of stronger.filter((each) => wanted !== undefined && environment[each]))
        await terminal.error(`note: ${variable} is set and takes precedence over your choice\n`);
      return exitCode.done;
    };
    if (wanted?.startsWith("@")) {
      const profile = await findProfile(environment, { typed: wanted.slice(1) });
      await chooseProfile(profile, environment);
      const place = { id: profile.baseUrl.origin, name: wanted };
      return say(place, ["SVC_SA_TOKEN", "SVC_CLI_SESSION_TICKET", "SVC_PROFILE"]);
    }
    const service = await openService(invocation, (...why) => progress.wait(...why));
    const choices = new ChosenWorkspaces(service, environment);
    const choice = await choices.read();
    const askContext = async () => {
      const context = await service.context();
      await progress.clear();
      return context;
    };
    const place =
      wanted === undefined
        ? await present(choice, environment, askContext)
        : await find(wanted, choice, askContext);
    if (wanted !== undefined && place.id !== choice.current?.id) {
      await choices.write({ current: place, ...(choice.current ? { previous: choice.current } : {}) });
    }
    return say(place, ["SVC_CURRENT_WORKSPACE_ID"]);
  },
};

function readWords(typed: readonly string[]): { wanted: string | undefined; asJson: boolean } {
  const { values, positionals } = localOptions(() =>
    parseArgs({ args: [...typed], options: { format: { type: "string" } }, allowPositionals: true }),
  );
  const [wanted, ...more] = positionals;
  if (more.length > 0)
    throw new Failure("usage", "use takes one workspace.", { hint: "Quote a name that contains spaces." });
  return { wanted, asJson: values.format === "json" };
}

async function present(
  { current }: Choice,
  environment: NodeJS.ProcessEnv,
  askContext: () => Promise<CallerContext>,
): Promise<Place> {
  const ambient = environment.SVC_CURRENT_WORKSPACE_ID;
  if (ambient === undefined && current) return current;
  const context = await askContext();
  const id = ambient ?? context.defaultWorkspaceId;
  if (id !== undefined) return named(id, context);
  throw new Failure("notFound", "No workspace is selected.", { hint: listed(context) });
}

async function find(
  wanted: string,
  { previous }: Choice,
  askContext: () => Promise<CallerContext>,
): Promise<Place> {
  if (wanted === "-") {
    if (previous) return previous;
    throw new Failure("notFound", "There is no workspace to go back to.");
  }
  return named(wanted, await askContext());
}

function named(wanted: string, context: CallerContext): Place {
  const folded = wanted.normalize("NFC").toLocaleLowerCase();
  const exact = context.workspaces.filter(({ id, slug }) => id === wanted || slug === folded);
  const found =
    exact.length > 0
      ? exact
      : context.workspaces.filter(({ name }) => name.normalize("NFC").toLocaleLowerCase() === folded);
  const [first, second] = found;
  if (first && !second) return { id: first.id, name: first.name };
  if (second) {
    throw new Failure("conflict", `${found.length} workspaces have the name \`${wanted}\`.`, {
      hint: `Choose by id: ${found.map(({ id }) => id).join(", ")}`,
    });
  }
  throw new Failure("notFound", `You have no workspace \`${wanted}\`.`, { hint: listed(context) });
}

function listed({ workspaces }: CallerContext): string {
  if (workspaces.length === 0) return "You have none yet, or your credential may not list them.";
  const some = workspaces.slice(0, 20).map(({ name, slug }) => `${name} (${slug})`);
  return `There are: ${some.join(", ")}${workspaces.length > some.length ? ", …" : ""}`;
}
