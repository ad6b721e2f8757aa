-- `svc undo` takes back the latest operation of one credential, and people name operations by the end of their id. Null in
-- operations from before: they answer to their whole id.
alter table app.operation
  -- The credential, and apart from it whether a session used it.
  add column made_with text,
  -- The last five hexadecimal digits of the id: the last four characters of what people see.
  add column end_of_id text;
