/**
 * Thrown by a read that needs something slow before it can answer: a model, or the end of other work. Its transaction ends,
 * so that no connection is held meanwhile; what it needs is waited for, and the command begins again and sees what is new.
 */
export class WaitFirst extends Error {
  override readonly name = "WaitFirst";
  readonly wait: () => Promise<unknown>;

  constructor(wait: () => Promise<unknown>) {
    super("This command has to wait, and begins again.");
    this.wait = wait;
  }
}
