/** @module-tag nightly */
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Certificates } from "../../testing/certificates.ts";
import { CompiledSvc } from "../../testing/compiled-svc.ts";

interface Report {
  ok: boolean;
  steps: { id: string; status: string; seen: string; remedy?: string }[];
}

let svc: CompiledSvc;
let certificates: Certificates;
let provider: string;
const servers: Server[] = [];

const context = {
  actor: { id: "usr_1", kind: "human", name: "Rin" },
  tenant: { id: "ten_1", name: "Kumo" },
  credential: { kind: "service_account_token" },
  workspaces: [{ id: "ws_1", name: "Sales", slug: "sales", role: "editor" }],
  defaultWorkspaceId: "ws_1",
  server: { version: "0.1.0", time: new Date().toISOString(), minimumClient: "0.1.0" },
};
const unauthenticated = {
  type: "urn:svc:problem:unauthenticated",
  title: "Not authenticated",
  status: 401,
  code: "unauthenticated",
  detail: "Nobody.",
  exitCode: 10,
  requestId: "r",
};

/** Answers all requests of doctor as the service does. */
const wellBehaved =
  (minimum = "0.0.1"): RequestListener =>
  (request, response) => {
    const isKnown = request.headers.authorization === "Bearer good";
    response.writeHead(isKnown ? 200 : 401, {
      "content-type": "application/json",
      "x-svc-min-client": minimum,
    });
    response.end(JSON.stringify(isKnown ? context : unauthenticated));
  };

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const http = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createHttpServer(listener))}`;

beforeAll(async () => {
  certificates = await Certificates.make(join(import.meta.dirname, "../../../../.dev/doctor-certificates"));
  const issued = await certificates.issued("provider", "DNS:localhost,IP:127.0.0.1");
  const port = await listen(
    createHttpsServer(issued, (request, response) => {
      response.end(
        JSON.stringify({ issuer: `https://localhost:${(request.socket.address() as AddressInfo).port}` }),
      );
    }),
  );
  provider = `localhost:${port}`;
  svc = await CompiledSvc.build({ provider: { domain: provider, clientId: "svc", audience: "svc" } });
});
afterEach(async () => {
  await rm(svc.home, { recursive: true, force: true });
  await rm(join(dirname(svc.path), "svc-agent"), { force: true });
});
afterAll(async () => {
  for (const server of servers) server.close();
  await svc.remove();
});

async function doctor(environment: Record<string, string>, ...words: string[]) {
  const printed = await svc.run(["doctor", "--format", "json", ...words], {
    environment: { SVC_SA_TOKEN: "good", SSL_CERT_FILE: certificates.authority, ...environment },
  });
  const report = JSON.parse(printed.out) as Report;
  return {
    ...printed,
    report,
    failed: report.steps.filter(({ status }) => status === "fail").map(({ id }) => id),
  };
}

const stepOf = ({ steps }: Report, id: string) => steps.find((step) => step.id === id);

test("if all is well it says so, step by step, and exits with 0", async () => {
  const { exitCode, report, failed } = await doctor({
    SVC_BASE_URL: await http(wellBehaved()),
  });
  expect({ exitCode, failed, ok: report.ok }).toEqual({ exitCode: 0, failed: [], ok: true });
  expect(report.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "config pass",
    "environment pass",
    "dns pass",
    "proxy pass",
    "tcp pass",
    "tls skip",
    "api pass",
    "clock pass",
    "credential pass",
    "workspace pass",
    "identity-provider pass",
    "agent warn",
    "updates skip",
  ]);
  expect(stepOf(report, "environment")?.seen).toContain("SVC_SA_TOKEN=(set, 4 characters)");
});

interface Broken {
  what: string;
  step: string;
  remedy: RegExp;
  breakIt(): Promise<Record<string, string>>;
}

const configFolder = () => join(svc.home, ".config/svc");

const cases: Broken[] = [
  {
    what: "a folder that others may read",
    step: "config",
    remedy: /chmod 700/,
    async breakIt() {
      await mkdir(configFolder(), { recursive: true, mode: 0o755 });
      await chmod(configFolder(), 0o755);
      return { SVC_BASE_URL: await http(wellBehaved()) };
    },
  },
  {
    what: "an invalid address",
    step: "environment",
    remedy: /https:\/\/svc\.example\.com/,
    breakIt: async () => ({ SVC_BASE_URL: "svc.example.com" }),
  },
  {
    what: "a name that cannot be resolved",
    step: "dns",
    remedy: /SVC_BASE_URL/,
    breakIt: async () => ({ SVC_BASE_URL: "https://nowhere.invalid" }),
  },
  {
    what: "a proxy that does not exist",
    step: "proxy",
    remedy: /HTTPS_PROXY/,
    breakIt: async () => ({
      SVC_BASE_URL: "https://svc.example.com",
      HTTPS_PROXY: "http://127.0.0.1:1",
      NO_PROXY: "localhost",
    }),
  },
  {
    what: "a service that is not running",
    step: "tcp",
    remedy: /running/,
    breakIt: async () => ({ SVC_BASE_URL: "http://127.0.0.1:1" }),
  },
  {
    what: "somebody in between, with their own certificate",
    step: "tls",
    remedy: /SSL_CERT_FILE/,
    async breakIt() {
      const port = await listen(createHttpsServer(await certificates.selfSigned(), wellBehaved()));
      return { SVC_BASE_URL: `https://localhost:${port}` };
    },
  },
  {
    what: "an expired certificate",
    step: "tls",
    remedy: /If not, stop/,
    async breakIt() {
      const ended = await certificates.issued("ended", "DNS:localhost,IP:127.0.0.1", [-30, -1]);
      return {
        SVC_BASE_URL: `https://localhost:${await listen(createHttpsServer(ended, wellBehaved()))}`,
      };
    },
  },
  {
    what: "a login page in place of the service",
    step: "api",
    remedy: /login page/,
    breakIt: async () => ({
      SVC_BASE_URL: await http((_request, response) => response.end("<html>Welcome</html>")),
    }),
  },
  {
    what: "a service that accepts the connection and says nothing",
    step: "api",
    remedy: /./,
    breakIt: async () => ({
      SVC_BASE_URL: `http://127.0.0.1:${await listen(createTcpServer((socket) => socket.on("error", () => {})))}`,
    }),
  },
  {
    what: "a client that is too old",
    step: "api",
    remedy: /svc update/,
    breakIt: async () => ({
      SVC_BASE_URL: await http(wellBehaved("99.0.0")),
    }),
  },
  {
    what: "a clock that is an hour off",
    step: "clock",
    remedy: /clock/,
    breakIt: async () => ({
      SVC_BASE_URL: await http((request, response) => {
        response.setHeader("date", new Date(Date.now() - 3_600_000).toUTCString());
        wellBehaved()(request, response);
      }),
    }),
  },
  {
    what: "an invalid token",
    step: "credential",
    remedy: /SVC_SA_TOKEN/,
    breakIt: async () => ({
      SVC_BASE_URL: await http(wellBehaved()),
      SVC_SA_TOKEN: "revoked",
    }),
  },
  {
    what: "no credential at all",
    step: "credential",
    remedy: /svc login/,
    breakIt: async () => ({
      SVC_BASE_URL: await http(wellBehaved()),
      SVC_SA_TOKEN: "",
    }),
  },
  {
    what: "a workspace that no longer exists",
    step: "workspace",
    remedy: /SVC_CURRENT_WORKSPACE_ID/,
    breakIt: async () => ({
      SVC_BASE_URL: await http(wellBehaved()),
      SVC_CURRENT_WORKSPACE_ID: "ws_gone",
    }),
  },
  {
    what: "an agent that is not executable",
    step: "agent",
    remedy: /chmod \+x/,
    async breakIt() {
      await writeFile(join(dirname(svc.path), "svc-agent"), "", { mode: 0o644 });
      return { SVC_BASE_URL: await http(wellBehaved()) };
    },
  },
];

test.for(cases)("$what is found at its step, with a remedy", async ({ step, remedy, breakIt }) => {
  const { exitCode, report, failed } = await doctor(await breakIt());
  expect(failed).toEqual([step]);
  expect(exitCode).toBe(60);
  expect(stepOf(report, step)?.remedy).toMatch(remedy);
});

test("an unreachable identity provider is a failure for people who log in, and a warning for callers with a token", async () => {
  const other = await CompiledSvc.build({
    provider: { domain: "nowhere.invalid", clientId: "svc", audience: "svc" },
  });
  const environment = {
    SVC_BASE_URL: await http(wellBehaved()),
    SVC_SA_TOKEN: "good",
  };
  const { exitCode, out } = await other.run(["doctor"], { environment });
  await other.remove();
  expect(exitCode).toBe(0);
  expect(out).toMatch(/warn {2}identity-provider/);
});

test("warns about releases that nobody signed", async () => {
  const issued = await certificates.issued("releases", "DNS:localhost,IP:127.0.0.1");
  const port = await listen(createHttpsServer(issued, (_request, response) => response.end("{}")));
  const releases = {
    url: `https://localhost:${port}/`,
    rootKeys: ["MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="],
  };
  const other = await CompiledSvc.build({ releases });
  const environment = {
    SVC_BASE_URL: await http(wellBehaved()),
    SVC_SA_TOKEN: "good",
    SSL_CERT_FILE: certificates.authority,
  };
  const { exitCode, out } = await other.run(["doctor"], { environment });
  await other.remove();
  expect(exitCode).toBe(60);
  expect(out).toMatch(/FAIL {2}updates .*\n.*Do not install anything from there/);
});

test("for people: one line per step, the remedy below it, and what to fix first", async () => {
  const { exitCode, out } = await svc.run(["doctor"], {
    environment: { SVC_BASE_URL: "http://127.0.0.1:1" },
  });
  expect(exitCode).toBe(60);
  expect(out).toMatch(
    / {2}FAIL {2}tcp {15}127\.0\.0\.1:1 does not accept connections: ECONNREFUSED\n {26}→ Check that the service is running/,
  );
  expect(out).toContain("Fix this first: tcp.");
});
