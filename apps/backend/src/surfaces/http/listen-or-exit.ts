import type { FastifyInstance } from "fastify";

interface ListenOptions {
  host: string;
  port: number;
  /** Names of the settings, for the message. */
  settings: string;
}

const reasons: Record<string, string> = {
  EADDRINUSE: "is already in use",
  EADDRNOTAVAIL: "is not an address of this machine",
  EACCES: "may not be used by this account",
};

/** For the start of a process: says in one line which address it cannot have. */
export async function listenOrExit(
  app: FastifyInstance,
  { host, port, settings }: ListenOptions,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw error;
    process.stderr.write(`${host}:${port} ${reason}. Choose another with ${settings}.\n`);
    process.exit(1);
  }
}
