import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Tokenizer } from "@huggingface/tokenizers";

/** From the `tokenizer.json` and `tokenizer_config.json` of a model, as Hugging Face lays them out. */
export async function loadTokenizer(folder: string): Promise<(text: string) => number[]> {
  const [tokens, settings] = await Promise.all([
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")),
  ]);
  const tokenizer = new Tokenizer(tokens, settings);
  return (text) => tokenizer.encode(text).ids;
}

async function readJson(file: string): Promise<object> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as object;
  } catch (cause) {
    throw new Error(`${file} cannot be read. \`npm run models:fetch\` downloads the local model.`, { cause });
  }
}
