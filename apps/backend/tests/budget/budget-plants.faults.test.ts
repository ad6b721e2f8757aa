// biome-ignore-all lint/suspicious/noTemplateCurlyInString: planted text is template source
import { type Plant, testPlants } from "../../testing/planted-mistake.ts";

/** The faults test notices each budget guard that is removed in a copy. */
const file = "apps/backend/src/features/budget/budget-store.ts";

const plants: Plant[] = [
  {
    mistake: "what does not fit is reserved",
    file,
    code: "where budget.spent_micros + budget.reserved_micros + excluded.reserved_micros <= excluded.limit_micros",
    planted: "",
    says: /what is reserved is within the limit|never more than any limit allowed/,
  },
  {
    mistake: "what is held does not count",
    file,
    code: "budget.spent_micros + budget.reserved_micros + excluded.reserved_micros <=",
    planted: "budget.spent_micros + excluded.reserved_micros <=",
    says: /what is reserved is within the limit|never more than any limit allowed/,
  },
  {
    mistake: "what would fit exactly is refused",
    file,
    code: "excluded.reserved_micros <= excluded.limit_micros",
    planted: "excluded.reserved_micros < excluded.limit_micros",
    says: /what fits is not refused|the rest can be had/,
  },
  {
    mistake: "the limit is read, and not held",
    file,
    code: `insert into app.ai_budget_limit as setting (tenant_id) values (\${tenantId})
      on conflict (tenant_id) do update set limit_micros = setting.limit_micros
      returning coalesce(limit_micros, \${defaultLimitMicros}::bigint) as micros)`,
    planted: `select coalesce((select limit_micros from app.ai_budget_limit where tenant_id = \${tenantId}),
        \${defaultLimitMicros}::bigint) as micros)`,
  },
  {
    mistake: "it is booked in the month in which it is settled",
    file,
    code: "and month = ${month}::date\n    returning case",
    planted:
      "and (${month}::date is null or month = date_trunc('month', ${now}::timestamptz at time zone 'utc'))\n    returning case",
  },
  {
    mistake: "it is settled twice",
    file,
    code: "outcome in ('held', 'expired') and ${which}",
    planted: "${which}",
  },
  {
    mistake: "what expires is given back",
    file,
    code: 'outcome: "expired", micros: undefined',
    planted: 'outcome: "expired", micros: 0n',
  },
  {
    mistake: "what expired is not corrected",
    file,
    code: "outcome in ('held', 'expired') and",
    planted: "outcome in ('held') and",
    says: /who came first was heard, however late/,
  },
  {
    mistake: "what was held stays held",
    file,
    code: "reserved_micros = budget.reserved_micros - ${freed}::bigint",
    planted: "reserved_micros = budget.reserved_micros - ${freed}::bigint * 0",
  },
  {
    mistake: "alerts are told each time",
    file,
    code: "when old.alerted_80_at is null and new.alerted_80_at is not null then 80",
    planted: "when new.alerted_80_at is not null then 80",
    says: /told once/,
  },
];

testPlants(plants, {
  project: "faults",
  test: "apps/backend/tests/budget/budget.faults.test.ts",
  says: /SVC_SEED=/,
});
