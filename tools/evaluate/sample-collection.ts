import { folders } from "@svc/sample-company/folders";
import type { Collection } from "./collection.ts";
import { sampleQueries } from "./sample-queries.ts";

/** Those that `sampleQueries` ask about. */
const folderNames = ["runbooks", "incident-reports", "design", "minutes", "press", "products", "議事録"];

/** Plain texts of the sample company: a clean clone has them, so CI can evaluate without a download. */
export function sampleCollection(): Collection {
  const documents = folders()
    .filter(({ name }) => folderNames.includes(name))
    .flatMap(({ name, files }) =>
      files
        .filter(({ path }) => /\.(md|txt)$/.test(path))
        .map(({ path, content }) => ({ id: `${name}/${path}`, title: "", text: content.toString() })),
    );
  const ids = new Set(documents.map(({ id }) => id));
  return {
    name: "sample",
    documents,
    queries: sampleQueries.map(({ text, grades }) => {
      const unknown = Object.keys(grades).filter((id) => !ids.has(id));
      if (unknown.length > 0) throw new Error(`"${text}" judges documents that do not exist: ${unknown}`);
      return { id: text, text, grades: new Map(Object.entries(grades)) };
    }),
  };
}
