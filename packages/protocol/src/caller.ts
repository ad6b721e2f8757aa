import { z } from "zod";

/** GET /api/v1/context: what a client needs to know about its caller without naming a command. */
export const CallerContext = z
  .object({
    actor: z.object({
      id: z.string(),
      kind: z.enum(["human", "service", "ai"]),
      name: z.string(),
      email: z.string().optional(),
    }),
    tenant: z.object({ id: z.string(), name: z.string() }),
    credential: z.object({
      kind: z.enum(["service_account_token", "access_token"]),
      expiresAt: z.iso.datetime().optional(),
    }),
    workspaces: z.array(z.object({ id: z.string(), name: z.string(), slug: z.string(), role: z.string() })),
    defaultWorkspaceId: z.string().optional(),
    server: z.object({ version: z.string(), time: z.iso.datetime(), minimumClient: z.string() }),
  })
  .meta({ id: "CallerContext" });
export type CallerContext = z.infer<typeof CallerContext>;
