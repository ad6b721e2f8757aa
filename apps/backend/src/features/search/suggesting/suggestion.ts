import { entityTypes } from "@svc/search/index/documents";
import { z } from "zod";

const suggestionKinds = ["recent", "popular", "workspace", "person", "name"] as const;

export const Suggestion = z.object({
  /** recent: the caller's own query. popular: the query of several people. name: of a file, folder or record. */
  kind: z.enum(suggestionKinds),
  text: z.string(),
  /** What to search for if it is chosen. */
  query: z.string().optional(),
  /** What to open if it is chosen: a path with its workspace, or the id of a record. */
  address: z.string().optional(),
  entityType: z.enum(entityTypes).optional(),
  id: z.string().optional(),
});

export type Suggestion = z.output<typeof Suggestion>;
