-- The end of a run drops the vectors of models that its tenant has no more; nobody looks for such tenants beside it.
drop function app.due_model_drops;
drop policy recognise on app.embedding_setting;
drop index app.embedding_setting_to_drop;
