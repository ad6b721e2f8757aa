-- outside transaction
create index concurrently if not exists operation_by_end on app.operation (tenant_id, actor_id, end_of_id);
