-- The commands and groups for which AI members need a person's approval, beside those that always need one.
alter table app.tenant_setting add column approvals_for text[] not null default '{}';
-- How long a question waits for an answer, and an answer to be used.
alter table app.tenant_setting add column approval_minutes integer not null default 10;
alter table app.tenant_setting add constraint tenant_setting_approval_minutes_check
  check (approval_minutes between 10 and 1440) not valid;
