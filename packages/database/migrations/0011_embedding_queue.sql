-- Files that await embedding, one row each. Who puts a file in does nothing where it is in already; who takes one out has
-- compared the content that he embedded with the file as it then is, so that no change is lost to that.
create table app.embedding_index_queue_entry (
  tenant_id uuid not null,
  node_id uuid not null,
  workspace_id uuid not null,
  enqueued_at timestamptz not null default now(),
  primary key (tenant_id, node_id),
  foreign key (tenant_id, node_id) references app.node (tenant_id, id) on delete cascade
);
create index embedding_index_queue_entry_by_workspace on app.embedding_index_queue_entry (tenant_id, workspace_id);
call app.police('app.embedding_index_queue_entry');
grant select, insert, delete on app.embedding_index_queue_entry to svc_app;
