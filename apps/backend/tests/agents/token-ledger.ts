import assert from "node:assert/strict";
import type { Command } from "@svc/command-router/catalog";
import { headers } from "@svc/protocol/headers";
import type { CommandContext } from "../../src/platform/commands/command-context.ts";
import type { CliReply } from "../../testing/test-backend.ts";

/** Somebody who calls: an AI member, or a person's credential in a session. */
export interface Agent {
  name: string;
  id: string;
  token: string;
  inSession: boolean;
  /** Calls tools, and leaves the ticket out. */
  isAtMcp?: true;
}

/** What an agent asked for. */
export interface Asked {
  agent: Agent;
  command: Command<CommandContext>;
  line: string;
}

interface Issued extends Asked {
  /** Of the commit that used it. */
  answer?: string;
}

/** Every preview token that agents were given, what it was given for, and what was committed with it. */
export class TokenLedger {
  readonly seen = { calls: 0, commits: 0, replays: 0, asked: 0, approved: 0, approvedCommits: 0, batches: 0 };
  readonly approved = new Set<string>();
  readonly #issued = new Map<string, Issued>();

  /** Compares an answer with what its token was issued for. Returns whether something was committed by it. */
  note(asked: Asked, token: string, reply: CliReply): boolean {
    const { body } = reply;
    this.seen.calls += 1;
    if (body.preview) {
      this.#issued.set(body.preview.token, asked);
      return false;
    }
    if (body.committed) return this.#checkCommit(asked, token, reply);
    const issued = this.#issued.get(token);
    if (issued?.answer !== undefined && issued.agent === asked.agent && issued.line === asked.line) {
      // Rights may have changed since; what was done is never done again.
      assert.ok(
        ["not_permitted", "not_found"].includes(body.code ?? ""),
        `a used token: ${JSON.stringify(body)}`,
      );
    }
    return false;
  }

  #checkCommit({ agent, command, line }: Asked, token: string, { body, headers: sent }: CliReply): boolean {
    const issued = this.#issued.get(token);
    assert.ok(issued, "a commit without a token");
    assert.equal(issued.agent, agent, "a commit with another's token");
    assert.equal(issued.line, line, "a commit of another line");
    assert.notEqual(command.agents, "never", "a command that is left to people");
    if (isGrave(command, line)) assert.ok(this.approved.has(token), "nobody approved it");
    const answer = JSON.stringify([body.data, body.operation]);
    if (sent[headers.idempotencyReplayed] === "true") {
      this.seen.replays += 1;
      assert.equal(answer, issued.answer ?? answer, "another answer than the first");
      return false;
    }
    assert.ok(issued.answer === undefined || issued.answer === answer, "committed twice");
    issued.answer = answer;
    this.seen.commits += 1;
    if (isGrave(command, line)) this.seen.approvedCommits += 1;
    if (command.path === "batch run") this.seen.batches += 1;
    return true;
  }

  tokens(where: (issued: Issued) => boolean): string[] {
    return [...this.#issued].flatMap(([token, issued]) => (where(issued) ? [token] : []));
  }
}

/** What the administrator of each world demands an approval for. */
export const demanded = "files rename";

/** Written from the issue, not from the code: what cannot be undone, what changes who gets in, and what is demanded. */
export function isGrave({ path, effect, reach }: Command<CommandContext>, line = ""): boolean {
  if (path === "batch run") return /(?:access|groups|members) (?!show|list|check)|files rename/.test(line);
  return effect === "destroy" || reach === "outward" || path === demanded;
}
