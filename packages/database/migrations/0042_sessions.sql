-- A session of an AI member: its credential works only together with this ticket, and only within the rights of a person.
create table control.session (
  credential_id uuid primary key references control.credential,
  tenant_id uuid not null references control.tenant,
  ticket_hash bytea not null check (length(ticket_hash) = 32),
  person_id uuid not null,
  -- The token that opened it, unless that was a login: the session ends with it.
  opened_with uuid references control.credential,
  workspace_id uuid,
  -- Commands or groups of commands; all if there is none.
  commands text[] not null,
  ends_at timestamptz not null
);
create index session_by_person on control.session (tenant_id, person_id, ends_at);
call app.police('control.session');
create policy directory on control.session to svc_owner using (true) with check (true);
grant select, insert on control.session to svc_app;

create function control.find_bearer(bearer_id uuid)
  returns table (
    tenant_id uuid, tenant_name text, principal_id uuid, secret_hash bytea, previous_secret_hash bytea,
    previous_secret_expires_at timestamptz, scopes text[], allowed_networks text[], default_workspace_id uuid,
    expires_at timestamptz, ticket_hash bytea, person_id uuid, workspace_id uuid, commands text[])
  language sql stable security definer set search_path = ''
  begin atomic
    select credential.tenant_id, tenant.name, credential.principal_id, credential.secret_hash,
           credential.previous_secret_hash, credential.previous_secret_expires_at, credential.scopes,
           credential.allowed_networks::text[], credential.default_workspace_id, credential.expires_at,
           session.ticket_hash, session.person_id, session.workspace_id, session.commands
    from control.credential
    join control.tenant on tenant.tenant_id = credential.tenant_id
    left join control.session on session.credential_id = credential.id
    left join control.credential as opener on opener.id = session.opened_with
    where credential.id = bearer_id and credential.revoked_at is null and tenant.disabled_at is null
      and opener.revoked_at is null and (opener.expires_at is null or opener.expires_at > now());
  end;

-- Processes of the version before ask here and know no tickets: for them there are no sessions.
create or replace function control.find_credential(credential_id uuid)
  returns table (
    tenant_id uuid, tenant_name text, principal_id uuid, secret_hash bytea, previous_secret_hash bytea,
    previous_secret_expires_at timestamptz, scopes text[], allowed_networks text[], default_workspace_id uuid,
    expires_at timestamptz)
  language sql stable security definer set search_path = ''
  begin atomic
    select credential.tenant_id, tenant.name, credential.principal_id, credential.secret_hash,
           credential.previous_secret_hash, credential.previous_secret_expires_at, credential.scopes,
           credential.allowed_networks::text[], credential.default_workspace_id, credential.expires_at
    from control.credential join control.tenant using (tenant_id)
    where credential.id = find_credential.credential_id and credential.revoked_at is null
      and tenant.disabled_at is null
      and not exists (select from control.session where session.credential_id = credential.id);
  end;

-- A session that is used lasts fifteen minutes more, until its end.
create or replace function control.touch_credential(credential_id uuid) returns void
  language sql volatile security definer set search_path = ''
  begin atomic
    update control.credential set last_used_at = now(), expires_at = coalesce(
      (select least(now() + interval '15 minutes', session.ends_at)
       from control.session where session.credential_id = credential.id), credential.expires_at)
    where credential.id = touch_credential.credential_id and credential.revoked_at is null
      and (credential.expires_at is null or credential.expires_at > now());
  end;

revoke all on function control.find_bearer(uuid) from public;
grant execute on function control.find_bearer(uuid) to svc_app;
