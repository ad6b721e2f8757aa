/** As much of a browser as signing in needs: cookies, redirects and one form on a page. */
export class Browser {
  readonly #home: string;
  readonly #cookies = new Map<string, string>();
  #action = "";
  #hidden: Record<string, string> = {};

  /** It stops when it is sent to `home`. */
  constructor(home: string) {
    this.#home = home;
  }

  open(url: string): Promise<URL | undefined> {
    return this.#follow(url);
  }

  /** Sends the form of the page that is open. Returns where it was sent home to. */
  submit(fields: Record<string, string>): Promise<URL | undefined> {
    return this.#follow(this.#action, new URLSearchParams({ ...this.#hidden, ...fields }));
  }

  async #follow(url: string, form?: URLSearchParams): Promise<URL | undefined> {
    if (url.startsWith(this.#home)) return new URL(url);
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form ? { method: "POST", body: form } : {}),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    const next = answer.headers.get("location");
    const page = await answer.text();
    if (next !== null) return this.#follow(new URL(next, url).href);
    if (!answer.ok) throw new Error(`${url}: ${answer.status} ${page}`);
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    this.#action = new URL(action, url).href;
    this.#hidden = Object.fromEntries(
      [...page.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    return undefined;
  }
}
