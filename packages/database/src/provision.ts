import pg from "pg";

/**
 * For operators only: creates a tenant with its first people and credentials, before anybody can sign in to do that
 * through a command. Needs the administrator's URL; the application's role lacks the rights.
 */
export class Provisioner {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async with<T>(adminUrl: string, work: (provisioner: Provisioner) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      await client.query("begin");
      const result = await work(new Provisioner(client));
      await client.query("commit");
      return result;
    } finally {
      await client.end();
    }
  }

  async findTenant(slug: string): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ tenant_id: string }>(
      "select tenant_id from control.tenant where slug = $1",
      [slug],
    );
    return rows[0]?.tenant_id;
  }

  addTenant({ name, slug }: { name: string; slug: string }): Promise<string> {
    return this.#insert(
      "insert into control.tenant (name, slug, cell_id) values ($1, $2, 'one') returning tenant_id as id",
      [name, slug],
    );
  }

  /** By address, or by name if they have none. */
  async findPrincipal(
    tenantId: string,
    { kind, name, email }: { kind: string; name: string; email?: string | undefined },
  ): Promise<string | undefined> {
    const { rows } = await this.#client.query<{ id: string }>(
      `select id from app.principal
       where tenant_id = $1 and kind = $2 and (case when $4::text is null then name = $3 else email = $4 end)
       order by id limit 1`,
      [tenantId, kind, name, email ?? null],
    );
    return rows[0]?.id;
  }

  addPrincipal(
    tenantId: string,
    principal: {
      kind: "user" | "service" | "ai";
      name: string;
      email?: string | undefined;
      isAdministrator?: boolean | undefined;
    },
  ): Promise<string> {
    return this.#insert(
      `insert into app.principal (tenant_id, kind, name, email, is_administrator) values ($1, $2, $3, $4, $5)
       returning id`,
      [tenantId, principal.kind, principal.name, principal.email ?? null, principal.isAdministrator ?? false],
    );
  }

  addCredential(
    tenantId: string,
    credential: {
      principalId: string;
      name: string;
      secretHash: Buffer;
      scopes?: readonly string[] | undefined;
      expiresAt?: Date;
      allowedNetworks?: readonly string[];
      defaultWorkspaceId?: string;
    },
  ): Promise<string> {
    return this.#insert(
      `insert into control.credential
         (tenant_id, principal_id, name, secret_hash, scopes, expires_at, allowed_networks, default_workspace_id)
       values ($1, $2, $3, $4, $5, $6, $7::text[]::cidr[], $8) returning id`,
      [
        tenantId,
        credential.principalId,
        credential.name,
        credential.secretHash,
        credential.scopes ?? ["*"],
        credential.expiresAt ?? null,
        credential.allowedNetworks ?? [],
        credential.defaultWorkspaceId ?? null,
      ],
    );
  }

  async addWorkspace(tenantId: string, { name, slug }: { name: string; slug: string }): Promise<string> {
    const id = await this.#insert(
      "insert into app.workspace (tenant_id, name, slug) values ($1, $2, $3) returning id",
      [tenantId, name, slug],
    );
    await this.#client.query(
      "insert into app.acl_scope (tenant_id, id, workspace_id, anchor_id) values ($1, $2, $2, $2)",
      [tenantId, id],
    );
    // Without its place, nothing at its root is found.
    await this.#client.query(
      `insert into app.search_place (tenant_id, id, workspace_id, acl_scope_id, is_hidden)
       values ($1, $2, $2, $2, false)`,
      [tenantId, id],
    );
    return id;
  }

  async addMember(tenantId: string, workspaceId: string, principalId: string, role: string): Promise<void> {
    await this.#client.query(
      "insert into app.acl_entry (tenant_id, scope_id, principal_id, role) values ($1, $2, $3, $4)",
      [tenantId, workspaceId, principalId, role],
    );
  }

  async setWorkspaceCreation(
    tenantId: string,
    workspaceCreation: "members" | "administrators" | "everyone",
  ): Promise<void> {
    await this.#client.query(
      "insert into app.tenant_setting (tenant_id, workspace_creation) values ($1, $2)",
      [tenantId, workspaceCreation],
    );
  }

  /** Makes the tenant the public demo: what it has now, visitors can see. Done once; what the group sees later is up to it. */
  async markDemo(tenantId: string): Promise<void> {
    const { rowCount } = await this.#client.query("select from app.demo where tenant_id = $1", [tenantId]);
    if (rowCount !== 0) return;
    const groupId = await this.#insert(
      "insert into app.principal (tenant_id, kind, name) values ($1, 'group', 'Demo visitors') returning id",
      [tenantId],
    );
    await this.#client.query(
      `insert into app.acl_entry (tenant_id, scope_id, principal_id, role)
       select tenant_id, id, $2, 'viewer' from app.workspace where tenant_id = $1 and trashed_at is null`,
      [tenantId, groupId],
    );
    await this.#client.query("insert into app.demo (tenant_id, visitors_group_id) values ($1, $2)", [
      tenantId,
      groupId,
    ]);
  }

  /** Lets people of an identity provider join: by the value of a claim, or for `email` by its domain. */
  async addAdmission(
    tenantId: string,
    rule: { issuer: string; claim: string; value: string; workspaceId?: string; role?: string },
  ): Promise<void> {
    await this.#client.query(
      `insert into control.admission (issuer, claim, value, tenant_id, workspace_id, workspace_role)
       values ($1, $2, $3, $4, $5, $6)`,
      [rule.issuer, rule.claim, rule.value, tenantId, rule.workspaceId ?? null, rule.role ?? null],
    );
  }

  async #insert(statement: string, values: unknown[]): Promise<string> {
    const { rows } = await this.#client.query<{ id: string }>(statement, values);
    const [row] = rows;
    if (!row) throw new Error("an insert returned nothing");
    return row.id;
  }
}
