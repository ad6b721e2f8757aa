-- Undo must not take away what another person added or changed. So rows say who changed them, also after somebody else has.

-- {"<principal>": <seconds since 1970>}: when each of them last did. By the clock and not by the transaction's start: a
-- transaction that began before an operation can change what the operation left.
create function app.author() returns jsonb
  language sql volatile
  return case when nullif(current_setting('app.actor_id', true), '') is null then '{}'::jsonb
    else jsonb_build_object(current_setting('app.actor_id', true), extract(epoch from clock_timestamp())) end;

-- By a trigger, so that no command can forget it.
create function app.note_author() returns trigger
  language plpgsql as $$
begin
  new.authors := old.authors || app.author();
  return new;
end $$;

alter table app.node add column authors jsonb not null default '{}';
alter table app.record add column authors jsonb not null default '{}';
alter table app.collection add column authors jsonb not null default '{}';

-- The owner sees rows only while they are not forced on it.
alter table app.node no force row level security;
alter table app.record no force row level security;
alter table app.collection no force row level security;
update app.node set authors = jsonb_build_object(created_by, extract(epoch from created_at))
  || jsonb_build_object(updated_by, extract(epoch from updated_at));
update app.record set authors = jsonb_build_object(created_by, extract(epoch from created_at))
  || jsonb_build_object(updated_by, extract(epoch from updated_at));
update app.collection set authors = jsonb_build_object(created_by, extract(epoch from created_at));
alter table app.node force row level security;
alter table app.record force row level security;
alter table app.collection force row level security;

alter table app.node alter column authors set default app.author();
alter table app.record alter column authors set default app.author();
alter table app.collection alter column authors set default app.author();

-- A change sets the version; following another access list does not.
create trigger note_author before update of version on app.node for each row execute function app.note_author();
create trigger note_author before update of version on app.record for each row execute function app.note_author();
create trigger note_author before update of version on app.collection for each row execute function app.note_author();

-- Who last changed what has no row of its own, or loses it with the change: an entry of an access list, who is in a group,
-- a switch.
create table app.last_change (
  tenant_id uuid not null,
  -- Node, collection or workspace whose list it is; group; or the tenant.
  subject_id uuid not null,
  -- Whose entry or switch it is. The subject itself: whether its list inherits, whether the group exists.
  part_id uuid not null,
  changed_by uuid not null,
  changed_at timestamptz not null,
  primary key (tenant_id, subject_id, part_id)
);
create index last_change_by_part on app.last_change (tenant_id, part_id);
call app.police('app.last_change');
grant select, insert, update on app.last_change to svc_app;

-- An undone content is kept for whoever redoes it; nobody else sees it.
alter table app.node_version add column undone_at timestamptz;

-- When its changes stand: later than any change that it made itself.
alter table app.operation alter column created_at set default clock_timestamp();
