import { ownDatabaseUrl, shownDatabaseUrl, withAdmin } from "@svc/database/development-server";
import { checkoutDatabaseName } from "./local-server/checkout-database.ts";
import { describeServer } from "./local-server/describe-server.ts";
import { startLocalPostgres, stopLocalPostgres } from "./local-server/local-postgres.ts";
import { runServerTool } from "./local-server/run-server-tool.ts";

await runServerTool("database", { up, down, reset });

async function up(): Promise<string> {
  const outcome = ownDatabaseUrl() ? "DATABASE_URL answers" : await startLocalPostgres("development");
  return `${outcome}: ${await describeServer()} at ${shownDatabaseUrl()}`;
}

async function down(): Promise<string> {
  if (ownDatabaseUrl()) return "nothing to stop: DATABASE_URL names a server that this tool did not start";
  return await stopLocalPostgres();
}

async function reset(): Promise<string> {
  const name = checkoutDatabaseName();
  await withAdmin(async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  return `${name} is empty now, at ${shownDatabaseUrl()}`;
}
