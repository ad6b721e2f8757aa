import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

interface Prompt {
  address: string;
  code: string;
}

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A person at a real browser who types the code that svc shows. */
export class PersonWithBrowser {
  readonly #name: string;
  readonly #browser: Browser;
  readonly #context: BrowserContext;

  private constructor(name: string, browser: Browser, context: BrowserContext) {
    this.#name = name;
    this.#browser = browser;
    this.#context = context;
  }

  static async start(name: string): Promise<PersonWithBrowser> {
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: quiet });
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    context.setDefaultTimeout(60_000);
    // The provider's pages ask for a font of another company.
    await context.route(/^(?!https:\/\/localhost)/, (route) => route.abort());
    return new PersonWithBrowser(name, browser, context);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async approve(prompt: Prompt): Promise<void> {
    const page = await this.#enterCode(prompt);
    await page.getByRole("button", { name: "Continue" }).click();
    const [name, consent, success] = [
      page.locator("input[name=login]"),
      page.getByRole("button", { name: "Continue" }),
      page.getByText("Sign-in Success"),
    ];
    await name.or(consent).or(success).first().waitFor();
    if (await name.isVisible()) {
      await name.fill(this.#name);
      await page.locator("input[name=password]").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
      await consent.or(success).first().waitFor();
    }
    if (await consent.isVisible()) await consent.click();
    await success.first().waitFor();
    await page.close();
  }

  async deny(prompt: Prompt): Promise<void> {
    const page = await this.#enterCode(prompt);
    await page.getByRole("button", { name: "Abort" }).click();
    await page.getByText("interrupted").waitFor();
    await page.close();
  }

  async #enterCode({ address, code }: Prompt): Promise<Page> {
    const page = await this.#context.newPage();
    await page.goto(address);
    await page.locator("input[name=user_code]").fill(code);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Confirm Device").waitFor();
    return page;
  }
}
