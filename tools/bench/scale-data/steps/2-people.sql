-- The first person of a tenant administers it and has a credential, so that the directory has its size too.

create temp table person on commit drop as
with inserted as (
  insert into app.principal (tenant_id, kind, name, email, is_administrator)
  select tenant_id, 'user', format('Person %s', number), format('person-%s@%s.example', number, slug), number = 1
  from tenant_plan, generate_series(1, people) as number
  returning tenant_id, id
)
select tenant_id, id, row_number() over (partition by tenant_id order by id) as number
from inserted;

insert into control.credential (tenant_id, principal_id, name, secret_hash, scopes)
select tenant_id, id, 'scale', sha256(uuid_send(id)), '{*}'
from person where number = 1;
