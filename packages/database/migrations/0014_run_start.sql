-- Nobody asks when the last run of embedding began: the one that goes on has started_at, those that ended last_ended_at.
alter table app.embedding_run drop column last_started_at;
