-- A slug refused because of a hidden workspace told that the workspace exists. Slugs are now unique only among the
-- workspaces that a caller can see, which an index cannot know.
drop index app.workspace_by_slug;
create index workspace_by_slug on app.workspace (tenant_id, slug, id) where trashed_at is null;
