import type { ArgumentSpec } from "./argument-spec.ts";
import { isReserved, reservedFlags } from "./reserved-flags.ts";

/** Throws if a command line could not tell these arguments apart: when the catalog loads, not when somebody calls. */
export function checkArgumentRules(specs: readonly ArgumentSpec[]): void {
  const taken = new Set<string>([`-${reservedFlags.help.short}`]);
  for (const { name, flag, short } of specs) {
    if (isReserved(flag)) throw new Error(`argument ${name}: every command has --${flag}`);
    if (short !== undefined && !/^[A-Za-z]$/.test(short)) {
      throw new Error(`argument ${name}: a short name is one letter, not ${JSON.stringify(short)}`);
    }
    for (const typed of [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])]) {
      if (taken.has(typed)) throw new Error(`argument ${name}: ${typed} is taken`);
      taken.add(typed);
    }
  }
  const positionals = specs.filter((spec) => spec.position !== undefined);
  positionals.forEach((spec, index) => {
    if (spec.repeatable && positionals.slice(0, index).some(({ repeatable }) => repeatable)) {
      throw new Error(`argument ${spec.name}: only one positional can be repeated`);
    }
    if (spec.required && positionals[index - 1]?.required === false) {
      throw new Error(`argument ${spec.name}: a required positional cannot follow an optional one`);
    }
  });
}
