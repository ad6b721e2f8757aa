-- A text that a model is being asked for has its row before it has its vector, so that nobody else pays for it meanwhile.
-- Whoever asks and is not heard of any more lets it expire.
alter table app.embedding_result
  alter column embedding drop not null,
  -- Of who asks.
  add column lease_id uuid,
  add check ((embedding is null) = (lease_id is not null)),
  add check (purpose = 'document' or embedding is not null);
create index embedding_result_asked on app.embedding_result (tenant_id, lease_id) where lease_id is not null;
