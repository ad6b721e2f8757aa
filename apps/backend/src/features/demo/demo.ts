/** What surfaces may know of the public demo. */

export {
  DemoVisitors,
  mostFiles,
  noMoreFiles,
  type Visitor,
  visitMillis,
  visitorCaller,
} from "./visitors.ts";

/** All that a visitor can do. */
export const demoCommands = { search: "search query", put: "files put" } as const;
