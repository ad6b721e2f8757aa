/** Whose releases, where they are, and who vouches for them. svc-agent has its own. */
export interface ReleaseSource {
  product: string;
  /** The version that is running. */
  version: string;
  url: string;
  channel: string;
  rootKeys: readonly string[];
}
