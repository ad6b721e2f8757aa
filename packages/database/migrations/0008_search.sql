-- Full-text search. What may be found is a document: one narrow row for each file, folder, record and workspace, written in the
-- transaction of the change. Who may find it is its place: the folder or collection that it is in. A place knows the
-- list that holds there and whether it is in the trash, so that moving, trashing or sharing a folder touches the folders
-- below it and none of the documents, whose index entries are dear.

create table app.search_place (
  tenant_id uuid not null,
  -- Of the folder, collection or workspace; or of a file with a list of its own.
  id uuid not null,
  workspace_id uuid not null,
  -- The place that it is in; null for a workspace.
  parent_id uuid,
  acl_scope_id uuid not null,
  -- It is in the trash, or something above it is.
  is_hidden boolean not null,
  primary key (tenant_id, id)
);
create index search_place_by_scope on app.search_place (tenant_id, acl_scope_id, id) where not is_hidden;
create index search_place_by_parent on app.search_place (tenant_id, parent_id);
create index search_place_by_workspace on app.search_place (tenant_id, workspace_id, id) where not is_hidden;

call app.police('app.search_place');
grant select, insert, update, delete on app.search_place to svc_app, svc_worker;

-- Where the documents of a tenant stand, if not on the shelf that its id leads to. While it moves, its documents stand
-- on both, each on one of them.
create table app.search_shelf (
  tenant_id uuid not null primary key,
  shelf_id smallint not null,
  moving_to smallint
);
call app.police('app.search_shelf');
grant select, insert, update on app.search_shelf to svc_app, svc_worker;

create table app.search_document (
  tenant_id uuid not null,
  shelf_id smallint not null,
  id uuid not null,
  entity_type text not null check (entity_type in ('FILE', 'FOLDER', 'RECORD', 'WORKSPACE')),
  workspace_id uuid not null,
  place_id uuid not null,
  name text not null,
  -- As a whole, the way a query is compared with it.
  whole_name text not null,
  name_tsv tsvector not null,
  name_length integer not null,
  body_tsv tsvector not null,
  body_length integer not null,
  -- There was more than is kept of a text, or than a tsvector holds.
  is_cut boolean not null,
  -- What is behind the last dot of a file's name.
  extension text,
  media_type text,
  owner_id uuid,
  updated_at timestamptz not null,
  -- Of what was analysed, and by what.
  content_version integer not null,
  analyser_version smallint not null,
  primary key (tenant_id, shelf_id, id)
) partition by list (shelf_id);

create index search_document_by_place on app.search_document (tenant_id, place_id);
-- With fastupdate a search would read the pending list from end to end, and one unlucky write would empty it.
create index search_document_by_word on app.search_document using gin (tenant_id, name_tsv, body_tsv) with (fastupdate = off);
create index search_document_by_name on app.search_document using gin (tenant_id, whole_name gin_trgm_ops) with (fastupdate = off);

-- 0 to 31 are shared; the others are each for one tenant that has outgrown them.
call app.police('app.search_document');
do $$
begin
  for shelf in 0..47 loop
    -- Ranking reads the terms of every candidate: up to 8 kB they stay in the row, and are not compressed.
    execute format('create table app.search_document_%s partition of app.search_document for values in (%s)'
      ' with (toast_tuple_target = 8160)', shelf, shelf);
    execute format('call app.police(%L)', format('app.search_document_%s', shelf));
  end loop;
end $$;

-- A policy comes before whatever is not leakproof, so that under one no index of words is ever used. This view is the guard
-- instead: it shows and takes rows of the transaction's tenant alone, and nobody has a right to what is behind it.
create policy behind_view on app.search_document to svc_owner using (true) with check (true);
create view app.searchable as
  select * from app.search_document where tenant_id = (select app.current_tenant())
  with check option;
grant select, insert, update, delete on app.searchable to svc_app, svc_worker;
