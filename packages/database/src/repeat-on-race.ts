import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

const maxAttempts = 20;

/**
 * Roles belong to the server: whoever sets up another database at the same time changes the same rows. PostgreSQL
 * does not wait for the other there, it fails, and advisory locks do not help because each belongs to one database.
 */
export async function repeatOnRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts || !isRace(error)) throw error;
      await sleep(Math.random() * 50 * attempt);
    }
  }
}

function isRace(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  // Somebody else added the same row of a system table, or changed it.
  const isAdded = error.code === "23505" && error.schema === "pg_catalog";
  return isAdded || /^tuple concurrently (updated|deleted)$/.test(error.message);
}
