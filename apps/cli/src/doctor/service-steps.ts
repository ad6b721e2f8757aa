import { isProblem } from "@svc/protocol/answers";
import { headers } from "@svc/protocol/headers";
import { parsedJson } from "@svc/protocol/shape";
import { isOlder } from "@svc/releases/is-older";
import { build } from "../build.ts";
import type { Credential } from "../credentials/credential.ts";
import { chosenWorkspace } from "../state/chosen-workspace.ts";
import type { Examination } from "./examination.ts";
import { type Finding, fail, pass, type Step, skip, warn } from "./step.ts";

const doubtfulSkew = 30;
const harmfulSkew = 300;

type Reply = Extract<Awaited<ReturnType<Examination["reply"]>>, { value: unknown }>["value"];

/** A check of the service, if it answers. */
function answering(
  id: string,
  look: (url: URL, reply: Reply, examination: Examination) => Promise<Finding>,
): Step<Examination> {
  return {
    id,
    async look(examination) {
      if ("failure" in examination.baseUrl) return skip("no service address");
      const url = examination.baseUrl.value;
      const reply = await examination.reply(url);
      if ("value" in reply)
        return id === "api" || isOurs(reply.value)
          ? look(url, reply.value, examination)
          : skip("not reached");
      if (id !== "api" || reply.failure.kind === "tls" || reply.failure.kind === "proxy")
        return skip("not reached");
      const wasFound =
        "value" in (await examination.addresses(url)) && "value" in (await examination.connection(url));
      if (!wasFound && !examination.proxy) return skip("not reached");
      return fail(reply.failure.message, reply.failure.hint ?? "Try again later.");
    },
  };
}

export const api = answering("api", async (url, reply) => {
  if (!isOurs(reply)) {
    return fail(
      `${url.host} answers with ${reply.status} and something that is not ours`,
      "Check SVC_BASE_URL. A proxy, a gateway or a login page may be answering instead.",
    );
  }
  const minimum = reply.headers.get(headers.minimumClient);
  if (minimum !== null && isOlder(build.version, minimum)) {
    return fail(`this is svc ${build.version}; the service requires ${minimum} or newer`, "svc update");
  }
  return pass(`${url.origin} answers; svc ${build.version} is new enough`);
});

export const clock = answering("clock", async (_url, { headers: head, at }) => {
  const theirs = Date.parse(head.get("date") ?? "");
  if (Number.isNaN(theirs)) return skip("the service does not send its time");
  // The header has whole seconds.
  const seconds = Math.round((at - theirs - 500) / 1_000);
  const seen = `this machine is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} the service`;
  if (Math.abs(seconds) > harmfulSkew)
    return fail(seen, "Set the clock: logins and signatures depend on it.");
  return Math.abs(seconds) > doubtfulSkew ? warn(seen, "Set the clock.") : pass("agrees with the service");
});

export const credential = answering("credential", async (url, _reply, examination) => {
  const found = await examination.credential(url);
  if ("failure" in found) return fail(found.failure.message, found.failure.hint ?? "svc login");
  const context = await examination.context(url, found.value);
  if ("failure" in context)
    return fail(`the service refuses it: ${context.failure.message}`, refusedRemedy(found.value));
  const { actor, tenant, credential: shown } = context.value;
  const { kind, profile } = found.value;
  const login = profile === undefined ? "your login" : `your login, profile ${profile}`;
  const from = kind === "environment" ? "SVC_SA_TOKEN" : login;
  const end = shown.expiresAt === undefined ? "does not expire" : `valid until ${shown.expiresAt}`;
  return pass(`${actor.name} at ${tenant.name}, from ${from}, ${end}`);
});

export const workspace = answering("workspace", async (url, _reply, examination) => {
  const found = await examination.credential(url);
  if ("failure" in found) return skip("no valid credential");
  const context = await examination.context(url, found.value);
  if ("failure" in context) return skip("no valid credential");
  const { environment } = examination.invocation;
  const ambient = environment.SVC_CURRENT_WORKSPACE_ID;
  const chosen = ambient ?? (await chosenWorkspace({ baseUrl: url, credential: found.value }, environment));
  const { workspaces, defaultWorkspaceId } = context.value;
  const wanted = chosen ?? defaultWorkspaceId;
  if (wanted === undefined) return warn(`none of ${workspaces.length} is selected`, "svc use <workspace>");
  const there = workspaces.find(({ id, slug }) => id === wanted || slug === wanted);
  if (there) return pass(`${there.name}, as ${there.role}`);
  return fail(
    `you have no workspace ${wanted}`,
    ambient ? "Correct SVC_CURRENT_WORKSPACE_ID." : "svc use <workspace>",
  );
});

export const provider: Step<Examination> = {
  id: "identity-provider",
  async look(examination) {
    if (!build.provider) return skip("this build has none: it works with SVC_SA_TOKEN");
    const { domain } = build.provider;
    const issuer = `https://${domain}`;
    try {
      const answer = await examination.fetch(new URL("/.well-known/openid-configuration", issuer));
      const said = parsedJson(await answer.text()) as { issuer?: unknown } | undefined;
      if (String(said?.issuer).replace(/\/$/, "") === issuer) return pass(`${domain} answers`);
      return fail(
        `${domain} answers with ${answer.status} and an unexpected document`,
        "Tell the operator of the identity provider.",
      );
    } catch (error) {
      const remedy = "You can keep working; only svc login needs it.";
      return examination.invocation.environment.SVC_SA_TOKEN
        ? warn((error as Error).message, remedy)
        : fail((error as Error).message, "Check your network. Logging in and renewing a login need it.");
    }
  },
};

/** Without a credential, the service answers in words that no other server uses. */
function isOurs({ status, text }: Reply): boolean {
  return status === 401 && isProblem(parsedJson(text));
}

function refusedRemedy({ kind }: Credential): string {
  return kind === "environment" ? "Set SVC_SA_TOKEN to one that is still good." : "svc login";
}
