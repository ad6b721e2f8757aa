import { withClient } from "../with-client.ts";

/** What became of acknowledged folders: lost ones are gone, doubled ones were created by more than one command. */
export async function countKept(
  adminUrl: string,
  acknowledged: readonly string[],
): Promise<{ lost: number; doubled: number }> {
  return withClient(adminUrl, async (client) => {
    const { rows } = await client.query<{ lost: number; doubled: number }>(
      `with acknowledged as (select unnest($1::text[]) as name),
            created as (
              select entry -> 'arguments' ->> 'folder' as folder, count(*) as times from app.audit
              where command = 'files mkdir' and outcome = 'committed' group by 1)
       select (select count(*)::int from acknowledged
               where not exists (select from app.node where node.name = acknowledged.name)) as lost,
              (select count(*)::int from acknowledged join created on folder = '/' || name where times > 1) as doubled`,
      [acknowledged],
    );
    const [row] = rows;
    if (!row) throw new Error("the database did not count");
    return row;
  });
}
