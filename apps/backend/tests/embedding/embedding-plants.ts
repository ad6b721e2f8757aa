// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** The schedules notice each guard between a change and its vectors that is removed in a copy. */
export const embeddingPlants: Plant[] = [
  {
    mistake: "a file that changed is finished",
    guard: "content-as-claimed",
    instead: ["=== contentVersion", "!== null && contentVersion > 0"],
  },
  {
    mistake: "vectors are written though the entry is gone",
    guard: "entry-still-queued",
    instead: ["finished.has(nodeId)", "finished.size >= 0"],
    says: /nobody wants|foreign key|current content/,
  },
  {
    mistake: "a newly adopted model is forgotten",
    guard: "models-as-prepared",
    instead: ["wantedOf.length < models.size ||", ""],
  },
  {
    mistake: "vectors of a model that was given up stay",
    guard: "former-models-go",
    instead: ["!isOver", "isOver || !isOver"],
    says: /nothing of a model that was given up/,
  },
  {
    mistake: "a lease never runs out",
    guard: "leases-run-out",
    instead: ["entry.leased_until <= ${now}", "${now}::timestamptz is null"],
  },
  {
    mistake: "answers are not kept until they are stored",
    guard: "answers-are-kept",
    instead: ["decode(row.key, 'hex')", "sha256(decode(row.key, 'hex'))"],
    says: /no answer is paid for twice/,
  },
  {
    mistake: "texts of a deleted file are asked for again",
    guard: "entry-still-ours",
    instead: ["await stillClaimed(transaction, this.#tenant.leaseId, claimed)", "[...claimed]"],
    says: /no answer is paid for twice/,
  },
  {
    mistake: "opting out leaves what waits",
    guard: "opting-out-empties-queue",
    instead: ['.where("workspace_id", "="', '.where("workspace_id", "<>"'],
    says: /nothing of what nobody wants/,
  },
];

/** They take an order of steps that random schedules come across once in some thousands, or never. */
export const missedByFiles: Plant[] = [
  {
    mistake: "two may ask for the same text",
    guard: "texts-are-claimed-once",
    instead: [
      "(result.lease_id = excluded.lease_id or result.expires_at <= ${now})",
      "${now}::timestamptz is not null",
    ],
  },
  {
    mistake: "dropped vectors are assumed to exist",
    guard: "models-as-prepared",
    instead: ["|| !(await areAsPrepared(transaction, files, wantedOf))", ""],
  },
];
