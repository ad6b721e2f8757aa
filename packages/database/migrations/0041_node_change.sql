-- Who renamed, moved, deleted, restored or touched which file or folder. Contents and their authors are in node_version, so that
-- putting files writes nothing here.
create table app.node_change (
  tenant_id uuid not null,
  node_id uuid not null,
  id uuid not null default uuidv7(),
  at timestamptz not null default now(),
  changed_by uuid,
  what text not null check (what in ('renamed', 'moved', 'deleted', 'restored', 'touched')),
  -- Only if they changed. A folder has other names later, so its id is kept and not its path.
  from_name text,
  to_name text,
  from_parent_id uuid,
  to_parent_id uuid,
  primary key (tenant_id, node_id, id),
  foreign key (tenant_id, node_id) references app.node (tenant_id, id) on delete cascade
);
call app.police('app.node_change');
grant select, insert on app.node_change to svc_app;

-- By a trigger, so that no command can forget it.
create function app.note_node_change() returns trigger
  language plpgsql as $$
declare
  is_renamed boolean := old.name <> new.name;
  is_moved boolean := old.parent_id <> new.parent_id;
begin
  insert into app.node_change (tenant_id, node_id, changed_by, what, from_name, to_name, from_parent_id, to_parent_id)
  values (
    new.tenant_id, new.id, nullif(current_setting('app.actor_id', true), '')::uuid,
    case
      when old.trashed_at is null and new.trashed_at is not null then 'deleted'
      when old.trashed_at is not null and new.trashed_at is null then 'restored'
      when is_moved then 'moved'
      when is_renamed then 'renamed'
      else 'touched'
    end,
    case when is_renamed then old.name end, case when is_renamed then new.name end,
    case when is_moved then old.parent_id end, case when is_moved then new.parent_id end);
  return null;
end $$;

create trigger note_node_change after update of version on app.node for each row
  when (old.content_version = new.content_version) execute function app.note_node_change();
