/** Whose releases, where they lie, and who vouches for them. svc-agent has its own. */
export interface ReleaseSource {
  product: string;
  /** Of the one that runs. */
  version: string;
  url: string;
  channel: string;
  rootKeys: readonly string[];
}
