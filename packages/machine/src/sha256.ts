/** Bun's own; under Node it is the platform's. */
const { Bun: runtime } = globalThis as {
  Bun?: { CryptoHasher: new (name: "sha256") => Digesting } | undefined;
};

interface Digesting {
  update(text: string): Digesting;
  digest(form: "hex"): string;
}

/** Of short texts, in hexadecimal, without loading `node:crypto`: that takes a fifth of the time of a short line. */
export function sha256(text: string): string {
  const digesting: Digesting = runtime
    ? new runtime.CryptoHasher("sha256")
    : process.getBuiltinModule("node:crypto").createHash("sha256");
  return digesting.update(text).digest("hex");
}
