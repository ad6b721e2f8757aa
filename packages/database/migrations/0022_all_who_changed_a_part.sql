-- Each person's last change instead of the last person's: if Ann removes from her group whom Ben added, and undoes that, Ben's
-- work is there again, and an undo must still find his name.
alter table app.last_change
  drop constraint last_change_pkey,
  add primary key (tenant_id, subject_id, part_id, changed_by);
