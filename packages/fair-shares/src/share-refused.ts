/** `full`: too many callers of this tenant are already waiting. `late`: no slot became free in time. */
export class ShareRefused extends Error {
  override readonly name = "ShareRefused";
  readonly reason: "full" | "late";

  constructor(reason: "full" | "late") {
    super(reason === "full" ? "too many callers are waiting" : "waited too long for a free slot");
    this.reason = reason;
  }
}
