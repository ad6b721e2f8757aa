-- Undo requires a row to be as its operation left it. Versions do not tell, because undo restores them and they recur. So each
-- row names the transaction that last changed it, and undo restores that name with the rest.
create function app.change_id() returns uuid
  language plpgsql volatile as $$
begin
  if coalesce(current_setting('app.change_id', true), '') = '' then
    perform set_config('app.change_id', uuidv7()::text, true);
  end if;
  return current_setting('app.change_id')::uuid;
end $$;

-- By a trigger, so that no command can forget it. An undo sets it itself.
create function app.note_change() returns trigger
  language plpgsql as $$
begin
  if new.change_id is not distinct from old.change_id then new.change_id := app.change_id(); end if;
  return new;
end $$;

-- Null in rows and operations from before.
alter table app.node add column change_id uuid;
alter table app.record add column change_id uuid;
alter table app.collection add column change_id uuid;
alter table app.workspace add column change_id uuid;
alter table app.operation add column change_id uuid;
alter table app.node alter column change_id set default app.change_id();
alter table app.record alter column change_id set default app.change_id();
alter table app.collection alter column change_id set default app.change_id();
alter table app.workspace alter column change_id set default app.change_id();
alter table app.operation alter column change_id set default app.change_id();

create trigger note_change before update of version on app.node for each row execute function app.note_change();
create trigger note_change before update of version on app.record for each row execute function app.note_change();
create trigger note_change before update of version on app.collection for each row execute function app.note_change();
create trigger note_change before update of version on app.workspace for each row execute function app.note_change();
