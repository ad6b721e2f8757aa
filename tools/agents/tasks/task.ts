import type { Credential, SampleOffice } from "../office/sample-office.ts";
import type { TaskAgent } from "./task-agent.ts";

/** The office, and the people who work there. */
export interface TaskWorld {
  office: SampleOffice;
  /** Owns Marketing and administers the tenant. */
  mina: Credential;
  rin: Credential;
  tomas: Credential;
}

/**
 * Something that an office asks of an agent. It throws unless the agent's answer and the state afterwards are right,
 * which it learns as a person or from the database, never from the agent.
 */
export interface Task {
  name: string;
  /** In a session for this person, instead of with the AI member's own token. */
  onBehalfOf?: "tomas";
  /** Most calls that it may take. */
  mostCalls?: number;
  /** What people did before. */
  prepare?(world: TaskWorld): Promise<void>;
  run(agent: TaskAgent, world: TaskWorld): Promise<void>;
}
