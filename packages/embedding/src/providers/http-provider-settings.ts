export interface HttpProviderSettings {
  /** https, or http on this machine. */
  url?: string | undefined;
  key?: string | undefined;
  model?: string | undefined;
  /** Of the model's own vectors, where they cannot be had with 768; at most as many. */
  dimensions?: number | undefined;
  maxTokens?: number | undefined;
  /** For one request, until its answer is whole. */
  timeoutMs?: number | undefined;
  countTokens: (text: string) => number;
}
