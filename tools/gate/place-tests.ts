/** Tests that the gate runs only if one of their places changed, or they themselves. The nightly run always does. */
export const placeTests: readonly {
  name: string;
  /** Test files, or folders of them. */
  tests: readonly string[];
  /** Beginnings of paths. */
  places: readonly string[];
}[] = [
  {
    name: "previous version",
    tests: ["apps/backend/tests/previous-version/"],
    places: ["packages/database/migrations/", "packages/database/src/migrat"],
  },
  {
    name: "evaluations",
    tests: ["tools/evaluate.e2e.test.ts"],
    places: ["tools/evaluat", "packages/search/", "packages/embedding/"],
  },
  {
    name: "releases, update and installation",
    tests: [
      "apps/cli/src/update/install.e2e.test.ts",
      "apps/cli/src/update/update.e2e.test.ts",
      "apps/cli/src/update/killed-update.faults.test.ts",
      "tools/release/",
    ],
    places: [
      "packages/releases/",
      "apps/cli/src/update/",
      "tools/release",
      "tools/build-cli.ts",
      "install.sh",
    ],
  },
];
