import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  key: string;
  cert: string;
}

const run = promisify(execFile);

/** Makes certificates as seen in the wild, with openssl. */
export class Certificates {
  readonly #folder: string;
  /** The certificate of the private authority, for SSL_CERT_FILE. */
  readonly authority: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.authority = join(folder, "ca.pem");
  }

  static async make(folder: string): Promise<Certificates> {
    await mkdir(folder, { recursive: true });
    const made = new Certificates(folder);
    const names = ["-subj", "/O=Nosy Company/CN=Nosy Inspection CA", "-days", "30"];
    await made.#openssl("req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256", [
      ...["-keyout", join(folder, "ca.key"), "-out", made.authority, ...names],
    ]);
    return made;
  }

  async selfSigned(): Promise<Certificate> {
    const [key, cert] = [join(this.#folder, "self.key"), join(this.#folder, "self.pem")];
    await this.#openssl("req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256", [
      ...["-keyout", key, "-out", cert, "-days", "30", "-subj", "/CN=Self Made"],
      ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
    ]);
    return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  }

  /** Signed by the private authority; valid from and until the given number of days from now. */
  async issued(name: string, subject: string, [from, until] = [-1, 30]): Promise<Certificate> {
    const at = (file: string) => join(this.#folder, `${name}.${file}`);
    await this.#openssl("req -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256", [
      ...["-keyout", at("key"), "-out", at("csr"), "-subj", `/CN=${name}`],
    ]);
    await writeFile(
      at("cnf"),
      `[ca]\ndefault_ca=own\n[own]\ndatabase=${at("index")}\nserial=${at("serial")}\nnew_certs_dir=${this.#folder}\n` +
        `default_md=sha256\npolicy=any\nx509_extensions=leaf\n[any]\ncommonName=supplied\n[leaf]\nsubjectAltName=${subject}\n`,
    );
    await writeFile(at("index"), "");
    await writeFile(at("serial"), "1000");
    await this.#openssl("ca -batch -notext", [
      ...["-config", at("cnf"), "-cert", this.authority, "-keyfile", join(this.#folder, "ca.key")],
      ...["-in", at("csr"), "-out", at("pem"), "-startdate", days(from), "-enddate", days(until)],
    ]);
    return { key: await readFile(at("key"), "utf8"), cert: await readFile(at("pem"), "utf8") };
  }

  async #openssl(command: string, options: string[]): Promise<void> {
    await run("openssl", [...command.split(" "), ...options]);
  }
}

function days(fromNow: number): string {
  const date = new Date(Date.now() + fromNow * 24 * 60 * 60 * 1_000);
  return date.toISOString().replace(/[-:T]|\.\d+/g, "");
}
