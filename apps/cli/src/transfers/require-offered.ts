import { isAbsolute } from "node:path";
import { Failure } from "@svc/machine/failure";
import { clearFormOf, type FileForm } from "@svc/machine/files/file-form";
import type { NamedWord } from "@svc/machine/files/named-word";
import { SendingAnswers } from "@svc/machine/network/sending-answers";
import { toTerminalLine } from "@svc/rendering/terminal-text";
import type { Invocation } from "../invocation.ts";
import type { Service } from "../network/service.ts";
import type { ProgressLine } from "../progress-line.ts";

type Person = Pick<Invocation, "terminal" | "environment"> & { progress: ProgressLine };

/**
 * Accepts what the line plainly offers. A person is asked about a word that may mean something else, once for each
 * position in a form of line: this exposes a server that wants a file where none belongs.
 */
export async function requireOffered(
  { baseUrl, signal }: Service,
  word: NamedWord,
  form: FileForm,
  describe: () => Promise<string>,
  { terminal, environment, progress }: Person,
): Promise<void> {
  if (form !== "unclear") return;
  const { name, command, place } = word;
  const clear = clearFormOf(name, environment);
  const refusal = new Failure("usage", `\`${name}\` does not clearly name a local file; nothing was sent.`, {
    hint: word.lineWith(clear),
  });
  if (terminal.ask === undefined || name === "" || name.startsWith("-")) throw refusal;
  const answers = new SendingAnswers(baseUrl.origin, environment);
  let maySend = await answers.read(place);
  if (maySend === undefined) {
    const what = `${isAbsolute(name) ? name : clear}, ${await describe()}, for \`${command}\``;
    await progress.clear();
    const question = `${baseUrl.host} asks for ${what}. Send it, now and in future? [y/N] `;
    const answer = await terminal.ask(toTerminalLine(question), signal);
    // The end of the input is not an answer, so nothing is remembered.
    if (answer === undefined) throw refusal;
    maySend = /^y(es)?$/i.test(answer.trim());
    await answers.write(place, maySend);
  }
  if (!maySend) throw refusal;
}
