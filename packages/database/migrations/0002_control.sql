-- The directory: small, global, cacheable. The application reads it by key, through the functions below, and writes
-- only rows of the tenant it acts for.

create table control.cell (
  id text primary key
);
insert into control.cell (id) values ('one');

create table control.tenant (
  tenant_id uuid primary key default uuidv7(),
  name text not null,
  slug text not null unique,
  cell_id text not null references control.cell,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

create table control.credential (
  id uuid primary key default uuidv7(),
  tenant_id uuid not null references control.tenant,
  principal_id uuid not null,
  name text not null,
  secret_hash bytea not null check (length(secret_hash) = 32),
  -- The secret before the last rotation, good until its grace ends.
  previous_secret_hash bytea check (length(previous_secret_hash) = 32),
  previous_secret_expires_at timestamptz,
  scopes text[] not null,
  allowed_networks cidr[] not null default '{}',
  default_workspace_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  version integer not null default 1,
  check ((previous_secret_hash is null) = (previous_secret_expires_at is null))
);
create index credential_by_tenant on control.credential (tenant_id, id);

create table control.identity (
  issuer text not null,
  subject text not null,
  tenant_id uuid not null references control.tenant,
  principal_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identity_by_tenant on control.identity (tenant_id, principal_id);

-- Just-in-time membership: a verified token of this issuer whose claim has this value may join the tenant.
-- For the claim `email` the value is the domain, and the provider must have verified the address.
create table control.admission (
  issuer text not null,
  claim text not null,
  value text not null,
  tenant_id uuid not null references control.tenant,
  workspace_id uuid,
  workspace_role text check (workspace_role in ('owner', 'editor', 'viewer')),
  primary key (issuer, claim, value),
  check ((workspace_id is null) = (workspace_role is null))
);

call app.police('control.tenant');
call app.police('control.credential');
call app.police('control.identity');
call app.police('control.admission');

-- Functions below run as svc_owner, which these policies let past.
create policy directory on control.tenant to svc_owner using (true) with check (true);
create policy directory on control.credential to svc_owner using (true) with check (true);
create policy directory on control.identity to svc_owner using (true) with check (true);
create policy directory on control.admission to svc_owner using (true) with check (true);

grant select on control.tenant to svc_app, svc_worker;
grant select, insert, update on control.credential to svc_app;
grant select, insert on control.identity to svc_app;

create function control.find_credential(credential_id uuid)
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
    where credential.id = credential_id and credential.revoked_at is null and tenant.disabled_at is null;
  end;

create function control.find_identity(token_issuer text, token_subject text)
  returns table (tenant_id uuid, tenant_name text, principal_id uuid)
  language sql stable security definer set search_path = ''
  begin atomic
    select identity.tenant_id, tenant.name, identity.principal_id
    from control.identity join control.tenant using (tenant_id)
    where identity.issuer = token_issuer and identity.subject = token_subject and tenant.disabled_at is null;
  end;

-- Rules are matched against the claims as name/value pairs; the first by claim name wins, so that the answer is stable.
create function control.find_admission(token_issuer text, claims jsonb)
  returns table (tenant_id uuid, workspace_id uuid, workspace_role text)
  language sql stable security definer set search_path = ''
  begin atomic
    select admission.tenant_id, admission.workspace_id, admission.workspace_role
    from control.admission join control.tenant using (tenant_id)
    where admission.issuer = token_issuer and claims ->> admission.claim = admission.value
      and tenant.disabled_at is null
    order by admission.claim limit 1;
  end;

create function control.touch_credential(credential_id uuid) returns void
  language sql volatile security definer set search_path = ''
  begin atomic
    update control.credential set last_used_at = now() where id = credential_id;
  end;

revoke all on all functions in schema control from public;
grant execute on all functions in schema control to svc_app;
