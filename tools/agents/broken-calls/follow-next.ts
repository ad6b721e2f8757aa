import { isDeepStrictEqual } from "node:util";
import { type Next, wordsOf } from "@svc/protocol/next";
import type { Credential, SampleOffice } from "../office/sample-office.ts";
import type { BrokenCall } from "./broken-call.ts";

/** What came of a broken call when `next` was followed blindly. */
export interface Followed {
  call: BrokenCall;
  /** Reached what the caller meant. */
  isRight: boolean;
  steps: Next[];
  /** Why not. */
  because: string;
}

interface Said {
  ok: boolean;
  next?: Next | undefined;
  text: string;
}

const mostSteps = 2;

/** Makes the broken call, then whatever `next` says, by the same way in, until something succeeds. */
export async function followNext(office: SampleOffice, who: Credential, call: BrokenCall): Promise<Followed> {
  const wayIn = call.line === undefined ? (call.tool === undefined ? "route" : "tool") : "line";
  let said = await first(office, who, call);
  if (said.ok) return { call, isRight: false, steps: [], because: "was not refused" };
  const steps: Next[] = [];
  while (!said.ok && said.next && steps.length < mostSteps) {
    steps.push(said.next);
    said = await again(office, who, wayIn, said.next);
  }
  const because =
    steps.length === 0 ? `no next: ${said.text.slice(0, 200)}` : faultOf(call, steps.at(-1), said);
  return { call, isRight: because === "", steps, because };
}

function faultOf(call: BrokenCall, last: Next | undefined, said: Said): string {
  if (!said.ok) return `refused: ${said.text.slice(0, 200)}`;
  if (last?.command !== call.means) return "another command";
  // `marketing:/archive` is `/archive` in marketing.
  const meant = inWorkspace(call.with, last.workspace);
  if (meant && !isDeepStrictEqual(inWorkspace(last.arguments, last.workspace), meant))
    return "other arguments";
  if (call.in !== undefined && last.workspace !== call.in) return "another workspace";
  return call.shows === undefined || said.text.includes(call.shows) ? "" : `does not show ${call.shows}`;
}

function inWorkspace<Given>(given: Given, workspace: string | undefined): Given {
  if (given === undefined || workspace === undefined) return given;
  return JSON.parse(JSON.stringify(given).replaceAll(`"${workspace}:/`, '"/')) as Given;
}

async function first(office: SampleOffice, who: Credential, call: BrokenCall): Promise<Said> {
  if (call.line !== undefined) return typed(office, who, call.line.split(" "));
  if (call.tool !== undefined) return asked(office, who, call.tool, call.given);
  return posted(office, who, call.route ?? "", call.body);
}

function again(office: SampleOffice, who: Credential, wayIn: string, next: Next): Promise<Said> {
  if (wayIn === "line") return typed(office, who, wordsOf(next));
  if (wayIn === "tool") return asked(office, who, "commands_run", next);
  const { command, ...body } = next;
  return posted(office, who, command.replace(" ", "/"), body);
}

async function typed(office: SampleOffice, who: Credential, argv: readonly string[]): Promise<Said> {
  const { status, body } = await office.type(who, argv);
  return saidOf(status === 200, body);
}

async function asked(office: SampleOffice, who: Credential, tool: string, given: unknown): Promise<Said> {
  const { result, error } = await office.ask(who, tool, given);
  return result
    ? saidOf(!result.isError, result.structuredContent)
    : saidOf(false, { ...error?.data, detail: error?.message });
}

async function posted(office: SampleOffice, who: Credential, path: string, body: unknown): Promise<Said> {
  const { status, body: answer } = await office.post(who, `/api/v1/commands/${path}`, body);
  return saidOf(status === 200, answer);
}

function saidOf(ok: boolean, body: { next?: Next | undefined; detail?: unknown }): Said {
  return { ok, next: body.next, text: JSON.stringify(body) };
}
