import { withClient } from "../with-client.ts";

/** What became of acknowledged folders and files: lost ones are gone, doubled ones were created by several commands. */
export async function countKept(
  adminUrl: string,
  acknowledged: readonly string[],
): Promise<{ lost: number; doubled: number }> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ lost: number; doubled: number }>(
      `with acknowledged as (select unnest($1::text[]) as name),
            created as (
              select coalesce(entry -> 'arguments' ->> 'folder', entry -> 'arguments' ->> 'target') as path, count(*) as times
              from app.audit where command in ('files mkdir', 'files put') and outcome = 'committed' group by 1)
       select (select count(*)::int from acknowledged
               where not exists (select from app.node where node.name = acknowledged.name)) as lost,
              (select count(*)::int from acknowledged join created on path = '/' || name where times > 1) as doubled`,
      [acknowledged],
    );
    const [row] = rows;
    if (!row) throw new Error("the database did not count");
    return row;
  });
}
