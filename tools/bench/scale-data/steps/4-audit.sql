-- Each round of the recursion appends one entry to every chain that is not full yet: hashed as the product does it
-- (hash = sha256(hash before || sha256(entry))), set-based, and interleaved over the tenants as in life.

with recursive chain as (
  select tenant_id, person.id as actor_id, plan.audit_entries as length, 0::bigint as sequence,
         null::timestamptz as at, null::text as command, null::text as outcome, null::text as entry,
         null::bytea as previous_hash, decode(repeat('00', 32), 'hex') as hash
  from tenant_plan as plan join person using (tenant_id)
  where person.number = 1
  union all
  select tenant_id, actor_id, length, chain.sequence + 1, fact.at, fact.command, fact.outcome, text.entry,
         chain.hash, sha256(chain.hash || sha256(convert_to(text.entry, 'UTF8')))
  from chain
  cross join lateral (
    select date_trunc('milliseconds', now() - interval '365 days' * (1 - (chain.sequence + 1.0) / length)) as at,
           (array['workspaces create', 'workspaces rename', 'members add', 'tokens create'])[1 + sequence % 4]
             as command,
           case when sequence % 20 = 19 then 'refused' else 'committed' end as outcome
  ) as fact
  cross join lateral (
    select format(
      '{"at":"%s","actor":"%s","actorKind":"human","credential":null,"requestId":"%s","command":"%s","effect":"write",'
      '"arguments":{"workspace":"workspace-%s","name":"Workspace %s"},"outcome":"%s"}',
      to_char(fact.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), actor_id, gen_random_uuid(), fact.command,
      sequence, sequence, fact.outcome) as entry
  ) as text
  where chain.sequence < length
)
insert into app.audit (tenant_id, sequence, at, actor_id, command, outcome, entry, previous_hash, hash)
select tenant_id, sequence, at, actor_id, command, outcome, entry::json, previous_hash, hash
from chain where sequence > 0;

insert into app.audit_head (tenant_id, sequence, hash)
select tenant_id, sequence, hash
from app.audit join tenant_plan using (tenant_id)
where sequence = audit_entries;
