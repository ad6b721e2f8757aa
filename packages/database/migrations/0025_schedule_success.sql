-- When each schedule of the worker last ran to its end, whichever process ran it.
create table control.schedule_success (
  task text primary key,
  succeeded_at timestamptz not null
);
grant select, insert, update on control.schedule_success to svc_worker;
