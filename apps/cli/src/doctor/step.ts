type Status = "pass" | "warn" | "fail" | "skip";

/** What one step saw, and what to do about it. */
export interface Finding {
  status: Status;
  seen: string;
  remedy?: string;
}

/** One thing to check; the id stays the same for programs. */
export interface Step<Subject> {
  id: string;
  look(subject: Subject): Finding | Promise<Finding>;
}

export const pass = (seen: string): Finding => ({ status: "pass", seen });
export const skip = (seen: string): Finding => ({ status: "skip", seen });
export const warn = (seen: string, remedy: string): Finding => ({ status: "warn", seen, remedy });
export const fail = (seen: string, remedy: string): Finding => ({ status: "fail", seen, remedy });
