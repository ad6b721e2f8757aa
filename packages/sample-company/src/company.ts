/** Kumo Trading brings tea, ceramics and textiles from Japan to shops in Europe. */
export const company = { name: "Kumo Trading", slug: "kumo" } as const;

interface SamplePerson {
  kind: "user" | "service" | "ai";
  name: string;
  email?: string;
  isAdministrator?: boolean;
}

export const people = {
  mina: { kind: "user", name: "Mina Okafor", email: "mina@kumo.example", isAdministrator: true },
  rin: { kind: "user", name: "Rin Takahashi", email: "rin@kumo.example" },
  tomas: { kind: "user", name: "Tomás Vega", email: "tomas@kumo.example" },
  aiko: { kind: "user", name: "森 愛子 (Aiko Mori)", email: "aiko@kumo.example" },
  samuel: { kind: "user", name: "Samuel Osei", email: "samuel@kumo.example" },
  shop: { kind: "service", name: "shop-sync" },
  assistant: { kind: "ai", name: "Kumo Assistant" },
} as const satisfies Record<string, SamplePerson>;

export type PersonKey = keyof typeof people;
type Role = "owner" | "editor" | "viewer";

export const workspaces: readonly {
  name: string;
  slug: string;
  members: Partial<Record<PersonKey, Role>>;
}[] = [
  { name: "Engineering", slug: "engineering", members: { mina: "owner", tomas: "editor" } },
  { name: "Marketing", slug: "marketing", members: { mina: "owner", rin: "editor" } },
  { name: "営業", slug: "営業", members: { rin: "owner", mina: "viewer" } },
];

/** The collection that is filled last, after everything else. */
export const lastSlug = "incidents";
