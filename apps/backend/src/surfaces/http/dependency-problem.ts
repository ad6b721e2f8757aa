import { type DatabaseFailure, databaseFailure } from "@svc/database/database-failure";
import { ProblemError } from "@svc/protocol/problem";
import { type StoreFailure, storeFailure } from "../../platform/blobs/store-failure.ts";
import { originOf } from "../../platform/process/dependency.ts";

type Words = ConstructorParameters<typeof ProblemError>;

const soon = { hint: "Try again in a few seconds." };
const later = { hint: "Try again later. If it stays, tell the operator of the service." };

const ofDatabase: Record<DatabaseFailure, Words> = {
  conflict: [
    "conflict",
    "Somebody else created the same thing at the same time.",
    { hint: "Check the current state, then try again." },
  ],
  timeout: ["timeout", "The database took too long."],
  locked: ["timeout", "The database waited too long for a lock.", soon],
  busy: ["unavailable", "Too many requests are waiting for a database connection.", soon],
  full: ["unavailable", "The database has run out of connections, disk space or memory.", soon],
  "read-only": ["unavailable", "The database is read-only at the moment.", soon],
  refused: ["unavailable", "The database does not accept the login of the service.", later],
  unmigrated: ["unavailable", "The database is not prepared for this version of the service.", later],
  unreachable: ["unavailable", "The database cannot be reached.", soon],
};

const ofStore: Record<StoreFailure, Words> = {
  full: ["unavailable", "The storage for file contents is full.", later],
  unreachable: ["unavailable", "The storage for file contents cannot be reached.", soon],
};

/** The failure of something this process depends on, in words for callers; undefined if it is our mistake. */
export function dependencyProblem(error: unknown): ProblemError | undefined {
  const words = wordsFor(error);
  if (!words) return undefined;
  const [code, detail, options] = words;
  return new ProblemError(code, detail, { ...options, cause: error });
}

function wordsFor(error: unknown): Words | undefined {
  switch (originOf(error)) {
    case "database": {
      const failure = databaseFailure(error);
      return failure && ofDatabase[failure];
    }
    case "store": {
      const failure = storeFailure(error);
      return failure && ofStore[failure];
    }
    case "model":
      return ["unavailable", "The embedding model cannot be used.", soon];
    case "provider":
      return ["unavailable", "The identity provider cannot be reached to check the login.", soon];
    case undefined:
      return undefined;
  }
}
