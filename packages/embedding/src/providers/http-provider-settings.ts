export interface HttpProviderSettings {
  /** https, or http on this machine. */
  url?: string | undefined;
  key?: string | undefined;
  model?: string | undefined;
  /** The size of the model's own vectors if it does not support 768; at most 768. */
  dimensions?: number | undefined;
  maxTokens?: number | undefined;
  /** For one request, until its answer is complete. */
  timeoutMs?: number | undefined;
  countTokens: (text: string) => number;
}
