-- outside transaction
create index concurrently if not exists operation_by_actor on app.operation (tenant_id, actor_id, id);
