// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** The tests notice each guard of the demo that is removed in a copy. */
export const missedByVisitors: Plant[] = [
  {
    mistake: "visitors upload as much as they like",
    guard: "five-files",
    instead: ['.where("files", "<", most)', ""],
  },
  {
    mistake: "a model is called for visitors",
    guard: "demo-asks-no-model",
    instead: ['mode: "fulltext"', ""],
  },
];

export const missedByHostileVisitors: Plant[] = [
  { mistake: "other sites send what visitors would", guard: "own-page-by-site" },
  { mistake: "forms of other sites are accepted", guard: "own-page-by-media-type" },
  { mistake: "one address sends any number of requests", guard: "demo-address-rate" },
  { mistake: "all addresses together send any number of requests", guard: "demo-total-rate" },
  { mistake: "one address brings any number of visitors", guard: "demo-visitors-per-address" },
  { mistake: "any number of files are received at once", guard: "demo-uploads-at-once" },
  { mistake: "any number of visitors come", guard: "demo-visitors-in-all" },
];

export const missedByExpiry: Plant[] = [
  {
    mistake: "a visit goes on until the job comes",
    guard: "visits-end",
    instead: ["and expires_at > now()", ""],
  },
  {
    mistake: "the audit log keeps what visitors wrote",
    guard: "visitors-leave-no-text",
    instead: ["withoutText(audited)", "audited"],
  },
  { mistake: "the audit log keeps ids that visitors chose", guard: "visitors-choose-no-id" },
  {
    mistake: "operations of visitors stay",
    migration: "0039_demo.sql",
    instead: ["delete from app.operation where tenant_id = tenant and actor_id = visitor;", ""],
  },
  {
    mistake: "contents of visitors stay for a day",
    migration: "0039_demo.sql",
    instead: ["and blob.reference_count = 0 and", "and blob.reference_count < 0 and"],
  },
  {
    mistake: "a content that somebody else has, too, is deleted",
    migration: "0039_demo.sql",
    instead: ["and blob.reference_count = 0 and", "and"],
  },
  {
    mistake: "visitors are removed before their time is over",
    migration: "0039_demo.sql",
    instead: ["where visitor.expires_at < now() order", "order"],
    says: /AssertionError|Error/,
  },
];

export const missedByLogs: Plant[] = [
  { mistake: "what visitors look for is kept", guard: "visitors-are-not-logged" },
];
