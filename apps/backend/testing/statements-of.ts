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
  const stop = watchStatements((statement) => void sent.push(statement));
  try {
    await work();
  } finally {
    stop();
  }
  return sent;
}

/** Resolves once this process has sent so many more such statements: in the middle of its work, at a point that repeats. */
export async function untilSent(count: number, such = /(?:)/): Promise<void> {
  if (count === 0) return;
  let left = count;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = watchStatements(({ text }) => {
    if (such.test(text)) left -= 1;
    if (left === 0) resolve();
  });
  await promise.finally(stop);
}

function watchStatements(onSend: (statement: SentStatement) => void): () => void {
  const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (...given: unknown[]) {
    const [asked] = given as [string | { text: string }];
    const text = (typeof asked === "string" ? asked : asked.text).replace(/\s+/g, " ").trim();
    onSend({ client: this, text });
    return query.apply(this, given);
  };
  return () => {
    prototype.query = query;
  };
}
