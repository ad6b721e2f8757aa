import pg from "pg";

interface SentStatement {
  /** The connection. */
  client: unknown;
  /** In one line. */
  text: string;
}

/** What this process sends to PostgreSQL while the work is done, in the first transaction with such a statement. */
export async function statementsOf(work: () => Promise<unknown>, such: RegExp): Promise<string[]> {
  const sent = await recordStatements(work);
  const client = sent.find(({ text }) => such.test(text))?.client;
  const statements = sent.filter((statement) => statement.client === client).map(({ text }) => text);
  const found = statements.findIndex((text) => such.test(text));
  const begin = statements.findLastIndex((text, index) => index <= found && text.startsWith("begin"));
  const end = statements.findIndex((text, index) => index > found && /^(commit|rollback)$/.test(text));
  if (end < 0) throw new Error("no transaction with such a statement has ended");
  return statements.slice(begin, end + 1);
}

async function recordStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (...given: unknown[]) {
    const [asked] = given as [string | { text: string }];
    const text = (typeof asked === "string" ? asked : asked.text).replace(/\s+/g, " ").trim();
    sent.push({ client: this, text });
    return query.apply(this, given);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}
