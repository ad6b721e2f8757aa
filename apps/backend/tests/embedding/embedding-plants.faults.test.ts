// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** The schedules notice each guard between a change and its vectors that is removed in a copy. */
const queue = "apps/backend/src/features/embeddings/queue-store.ts";

const plants: Plant[] = [
  {
    mistake: "a file that changed is finished",
    file: queue,
    code: "versions.get(nodeId) === contentVersion;",
    planted: "versions.get(nodeId) !== null && contentVersion > 0;",
  },
  {
    mistake: "vectors are written though the entry is gone",
    file: "apps/backend/src/features/embeddings/embed-files.ts",
    code: "finished.has(nodeId) ? chunks.get(nodeId) : undefined;",
    planted: "finished.size >= 0 ? chunks.get(nodeId) : undefined;",
    says: /nobody wants|foreign key|current content/,
  },
  {
    mistake: "a newly adopted model is forgotten",
    file: "apps/backend/src/features/embeddings/embed-files.ts",
    code: "wantedOf.length < models.size || ",
    planted: "",
  },
  {
    mistake: "vectors of a model that was given up stay",
    file: "apps/backend/src/features/embeddings/embed-files.ts",
    code: "if (!isOver) return;",
    planted: "if (isOver || !isOver) return;",
    says: /nothing of a model that was given up/,
  },
  {
    mistake: "a lease never runs out",
    file: queue,
    code: "and (entry.leased_until is null or entry.leased_until <= ${now})",
    planted: "and (entry.leased_until is null or ${now}::timestamptz is null)",
  },
  {
    mistake: "answers are not kept until they are stored",
    file: "packages/search/src/vectors/embedding-results.ts",
    code: "select ${tenantId}, ${model}, ${purpose}, decode(row.key, 'hex'), row.vector::halfvec, ${expiresAt}",
    planted:
      "select ${tenantId}, ${model}, ${purpose}, sha256(decode(row.key, 'hex')), row.vector::halfvec, ${expiresAt}",
    says: /no answer is paid for twice/,
  },
  {
    mistake: "opting out leaves what waits",
    file: "packages/search/src/vectors/embedding-queue.ts",
    code: '.where("workspace_id", "=", workspaceId)\n    .execute();',
    planted: '.where("workspace_id", "<>", workspaceId)\n    .execute();',
    says: /nothing of what nobody wants/,
  },
];

/** They need an order of steps that random schedules reach once in thousands of runs, or never. */
const missedByFiles: Plant[] = [
  {
    mistake: "two may ask for the same text",
    file: "packages/search/src/vectors/embedding-results.ts",
    code: "where result.embedding is null and (result.lease_id = excluded.lease_id or result.expires_at <= ${now})",
    planted: "where result.embedding is null and ${now}::timestamptz is not null",
  },
  {
    mistake: "dropped vectors are assumed to exist",
    file: "apps/backend/src/features/embeddings/embed-files.ts",
    code: " || !(await areAsPrepared(transaction, files, wantedOf))",
    planted: "",
  },
];

testPlants(plants, {
  project: "faults",
  test: "apps/backend/tests/embedding/embedding-schedules.faults.test.ts",
  says: /vectors of the current content/,
});
testPlants(
  missedByFiles,
  {
    project: "unit",
    test: "apps/backend/src/features/embeddings/embed-files.test.ts",
    says: /AssertionError/,
  },
  0,
);
