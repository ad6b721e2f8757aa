/** Variables of `npm run …`, tests and the installer. The product itself reads none of them. */
export const developmentSettings: Readonly<Record<string, string>> = {
  DATABASE_URL: "A PostgreSQL 18 with pgvector to use instead of the private one.",
  SVC_DATABASE_PORT: "Port of the private PostgreSQL; the one for tests is on the next. Default: `54318`.",
  SVC_DEBIAN_ROOT: "Where the private PostgreSQL is installed. Default: `~/.cache/svc/debian`.",
  SVC_DEV_DATABASE: "Database of this checkout. By default its name is derived from the checkout's path.",
  SVC_DEV_FOLDER: "Where `npm run dev` keeps contents, tokens and secrets. Default: `.dev`.",
  SVC_PEOPLE: "Folder with the tokens of the sample company's people. `npm run dev` prints it.",
  SVC_FAULTS: "`full` runs fault tests at full size, as `npm run test:nightly` does.",
  SVC_SEED: "Seed of tests that draw: repeats a run. Default: a constant; `npm run test:nightly` draws one.",
  SVC_BASE:
    "Commit that `.ci/run` compares a change with. Default: where it left the remote's main, else the newest commit older than a day.",
  SVC_PLANTS:
    "Guards and tests, separated by commas: `npm run test:plants` plants only their mistakes. Default: every mistake.",
  SVC_TIMES:
    "File to which a test run adds the processor time of each test file, instead of printing the slowest.",
  SVC_TEST_EMBEDDINGS_URL: "An OpenAI-compatible server for tests, instead of a local llama.cpp.",
  SVC_LLAMA_MODEL: "Model file for that llama.cpp.",
  SVC_COLLECTIONS:
    "Folder with judged collections for `npm run evaluate` and `npm run bench -- semantic`. Default: `../shared/relevance`.",
  BENCH_SIZE: "`smoke` makes benches and evaluations small. Default: `full`.",
  BENCH_MINUTES: "How long `npm run soak` takes. Default: `60`.",
  BENCH_INTERVAL: "Seconds between two faults of `npm run soak`. Default: `180`.",
  BENCH_SERVER: "`cell` runs `npm run soak` on the cell of `npm run ha:up`. Default: the development server.",
  SVC_INSTALL_DIR: "Where `install.sh` puts `svc`. Default: `~/.local/bin`.",
};
