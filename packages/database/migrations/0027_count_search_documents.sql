-- outside transaction
-- Documents from before there were counters.
call app.count_all_search_documents();
