import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** all-MiniLM-L6-v2, weights in eight bits: 23 MB, one core, no network. `npm run models:fetch` downloads it. */
export const localModel = {
  name: "minilm-l6-v2-int8",
  maxTokens: 256,
  dimensions: 384,
  languages: ["en"],
  leastSimilarity: 0.25,
  weights: "onnx/model_quantized.onnx",
};

/** One folder for all checkouts of a machine. */
export function localModelFolder(models = process.env.SVC_MODELS): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return resolve(models || join(cache, "svc", "models"), localModel.name);
}
