// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import type { Plant } from "../../testing/plants/plant.ts";

/** The faults test notices each budget guard that is removed in a copy. */
export const budgetPlants: Plant[] = [
  {
    mistake: "what does not fit is reserved",
    guard: "holds-fit-limit",
    instead: [
      "where budget.spent_micros + budget.reserved_micros + excluded.reserved_micros <= excluded.limit_micros",
      "",
    ],
    says: /what is reserved is within the limit|never more than any limit allowed/,
  },
  {
    mistake: "what is held does not count",
    guard: "holds-fit-limit",
    instead: ["budget.spent_micros + budget.reserved_micros + excluded", "budget.spent_micros + excluded"],
    says: /what is reserved is within the limit|never more than any limit allowed/,
  },
  {
    mistake: "what would fit exactly is refused",
    guard: "holds-fit-limit",
    instead: ["excluded.reserved_micros <= excluded", "excluded.reserved_micros < excluded"],
    says: /what fits is not refused|the rest can be had/,
  },
  {
    mistake: "the limit is read, and not held",
    guard: "holds-fit-limit",
    instead: [
      `insert into app.ai_budget_limit as setting (tenant_id) values (\${tenantId})
      on conflict (tenant_id) do update set limit_micros = setting.limit_micros
      returning coalesce(limit_micros, \${defaultLimitMicros}::bigint) as micros)`,
      `select coalesce((select limit_micros from app.ai_budget_limit where tenant_id = \${tenantId}),
        \${defaultLimitMicros}::bigint) as micros)`,
    ],
  },
  {
    mistake: "it is booked in the month in which it is settled",
    guard: "spending-is-booked",
    instead: [
      "and month = ${month}::date",
      "and (${month}::date is null or month = date_trunc('month', ${now}::timestamptz at time zone 'utc'))",
    ],
  },
  {
    mistake: "it is settled twice",
    guard: "holds-end-once",
    instead: ["outcome in ('held', 'expired') and ${which}", "${which}"],
  },
  {
    mistake: "what expires is given back",
    guard: "expired-holds-are-spent",
    instead: ["micros: undefined", "micros: 0n"],
  },
  {
    mistake: "what expired is not corrected",
    guard: "holds-end-once",
    instead: ["outcome in ('held', 'expired') and", "outcome in ('held') and"],
    says: /who came first was heard, however late/,
  },
  {
    mistake: "what was held stays held",
    guard: "spending-is-booked",
    instead: ["${freed}::bigint", "${freed}::bigint * 0"],
  },
  {
    mistake: "alerts are told each time",
    guard: "spending-is-booked",
    instead: ["old.alerted_80_at is null and", ""],
    says: /told once/,
  },
];
