-- What a tenant may spend on models in a calendar month (UTC). Money is whole micro-units: a millionth of the currency.

-- What an administrator decided, for this month and those that come. It is held by whoever reserves, so that nobody
-- reserves by a limit that is no more; who is the first makes it, because a row that is not there cannot be held.
create table app.ai_budget_limit (
  tenant_id uuid not null primary key,
  -- Null where nobody decided: the deployment's default. A billion at most: a percentage of it still fits a bigint.
  limit_micros bigint check (limit_micros between 0 and 1000000000000000),
  version integer not null default 1
);
call app.police('app.ai_budget_limit');
grant select, insert, update on app.ai_budget_limit to svc_app, svc_worker;

create table app.ai_budget (
  tenant_id uuid not null,
  -- Its first day.
  month date not null check (extract(day from month) = 1),
  -- As it was when something was last reserved or the limit was set: what alerts are measured by.
  limit_micros bigint not null check (limit_micros >= 0),
  -- The sums of the rows of ai_spend: of those that are held, and of the others.
  reserved_micros bigint not null default 0 check (reserved_micros >= 0),
  spent_micros bigint not null default 0 check (spent_micros >= 0),
  -- When 80 and 100 of a hundred were first spent.
  alerted_80_at timestamptz,
  alerted_100_at timestamptz,
  primary key (tenant_id, month)
);
call app.police('app.ai_budget');
grant select, insert, update on app.ai_budget to svc_app, svc_worker;

-- The ledger: a row for each reservation, held before the model is called and settled after. It is one row all along, so
-- that whoever settles, releases or expires it waits for the others and sees what they did.
create table app.ai_spend (
  tenant_id uuid not null,
  id uuid not null default uuidv7(),
  -- In which it was reserved, whenever it is settled.
  month date not null,
  purpose text not null check (purpose in ('document', 'query')),
  -- held: the model may be being called. settled: at its cost. estimated: at its reservation, the cost being unknown.
  -- expired: at its reservation, nobody having said how it ended; whoever does so yet corrects it. released: no call.
  outcome text not null default 'held' check (outcome in ('held', 'settled', 'estimated', 'expired', 'released')),
  reserved_micros bigint not null check (reserved_micros >= 0),
  -- What it cost, and never more than was reserved for it.
  micros bigint check (micros between 0 and reserved_micros),
  model text,
  calls integer not null default 0 check (calls >= 0),
  tokens bigint not null default 0 check (tokens >= 0),
  reserved_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, month) references app.ai_budget (tenant_id, month),
  check ((outcome = 'held') = (micros is null)),
  check ((outcome = 'held') = (ended_at is null))
);
create index ai_spend_by_month on app.ai_spend (tenant_id, month);
create index ai_spend_held on app.ai_spend (expires_at) where outcome = 'held';
call app.police('app.ai_spend');
grant select, insert, update on app.ai_spend to svc_app, svc_worker;

-- Whose holds nobody came back for, in any tenant of the cell. They are booked in that tenant's own transaction.
create function app.months_with_expired_holds(at timestamptz, batch integer)
  returns table (tenant_id uuid, month text)
  language sql stable security definer set search_path = ''
  begin atomic
    select spend.tenant_id, spend.month::text from app.ai_spend as spend
    where spend.outcome = 'held' and spend.expires_at <= at
    group by spend.tenant_id, spend.month order by min(spend.expires_at) limit batch;
  end;
create policy recognise on app.ai_spend for select to svc_owner using (outcome = 'held');
revoke all on function app.months_with_expired_holds from public;
grant execute on function app.months_with_expired_holds to svc_worker;
