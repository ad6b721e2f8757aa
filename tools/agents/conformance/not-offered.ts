/**
 * Features of the protocol that we leave out, with the scenarios that need them. `scenario:check` is one check of a
 * scenario that is otherwise about what we offer.
 */
export const notOffered: { feature: string; why: string; needs: string[] }[] = [
  {
    feature: "prompts",
    why: "what an agent has to know is in the server's instructions",
    needs: [
      "prompts-list",
      "prompts-get-simple",
      "prompts-get-with-args",
      "prompts-get-embedded-resource",
      "prompts-get-with-image",
      "caching:sep-2549-prompts-list-caching-hints",
    ],
  },
  {
    feature: "completions",
    why: "they complete arguments of prompts, and addresses that nobody types",
    needs: ["completion-complete"],
  },
  {
    feature: "images, sound and embedded files in answers of tools",
    why: "no command answers with them: a tool answers data, and the same as text",
    needs: [
      "tools-call-image",
      "tools-call-audio",
      "tools-call-embedded-resource",
      "tools-call-mixed-content",
    ],
  },
  {
    feature: "binary resources",
    why: "a resource is the text of a file, or a record; bytes are downloaded",
    needs: ["resources-read-binary"],
  },
  {
    feature: "logging",
    why: "the log is for those who run the service",
    needs: ["logging-set-level", "tools-call-with-logging"],
  },
  {
    feature: "subscriptions",
    why: "changes are not announced, and each subscription would hold a connection",
    needs: ["resources-subscribe", "resources-unsubscribe"],
  },
  {
    feature: "sessions of the protocol",
    why: "each request stands alone, as in the newest revision",
    needs: ["server-sse-multiple-streams:server-sse-multiple-streams-session"],
  },
  {
    feature: "questions to the client (elicitation, sampling, roots)",
    why: "what the agent's own client answers never counts, so nothing is asked of it",
    needs: [
      "tools-call-sampling",
      "tools-call-elicitation",
      "elicitation-sep1034-defaults",
      "elicitation-sep1330-enums",
      "input-required-result-basic-elicitation",
      "input-required-result-basic-sampling",
      "input-required-result-basic-list-roots",
      "input-required-result-request-state",
      "input-required-result-multiple-input-requests",
      "input-required-result-multi-round",
      "input-required-result-missing-input-response",
      "input-required-result-non-tool-request",
      "input-required-result-result-type",
      "input-required-result-tampered-state",
      "input-required-result-capability-check",
      "input-required-result-ignore-extra-params",
      "input-required-result-validate-input",
      "server-stateless:sep-2575-server-rejects-undeclared-capability",
      "server-stateless:sep-2575-missing-capability-http-400",
    ],
  },
];

/** By scenario, or `scenario:check`. */
export const neededFeature: ReadonlyMap<string, string> = new Map(
  notOffered.flatMap(({ feature, needs }) => needs.map((need) => [need, feature])),
);
