/**
 * Thrown by a read that needs something slow before it can answer: a model, or the end of other work. Its transaction
 * ends, so that no connection is held meanwhile; the slow work is awaited, and the command starts over and sees its
 * result.
 */
export class WaitFirst extends Error {
  override readonly name = "WaitFirst";
  readonly wait: () => Promise<unknown>;

  constructor(wait: () => Promise<unknown>) {
    super("This command has to wait, and starts over.");
    this.wait = wait;
  }
}
