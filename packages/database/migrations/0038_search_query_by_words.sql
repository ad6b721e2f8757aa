-- outside transaction
create index concurrently if not exists search_query_by_words on app.search_query (tenant_id, normalised collate "C");
