import { Provisioner } from "@svc/database/provision";
import { company, people } from "@svc/sample-company/company";
import type { SampleOffice } from "../office/sample-office.ts";
import { handbook, handbookPath } from "./handbook.ts";
import type { TaskWorld } from "./task.ts";

/** The sample company, where the assistant works in two workspaces and may read what the board wrote. */
export async function openWorld(office: SampleOffice): Promise<TaskWorld> {
  const [mina, rin, tomas] = [office.person("mina"), office.person("rin"), office.person("tomas")];
  const { name } = people.assistant;
  await office.run(mina, "members add --role owner --workspace marketing", name);
  await office.run(mina, "members add --role editor --workspace engineering", name);
  await office.run(mina, "access grant /board --role viewer --workspace marketing", name);
  await addPerson(office, "Anna Berg", "anna.berg@kumo.example");
  await addPerson(office, "Anna Lindholm", "anna.lindholm@kumo.example");
  await office.run(mina, "members add anna.berg@kumo.example --role viewer --workspace marketing");
  await office.run(mina, "members add anna.lindholm@kumo.example --role editor --workspace engineering");
  await office.run(tomas, "files mkdir /house --workspace engineering");
  await office.put(tomas, handbookPath, "engineering", handbook);
  return { office, mina, rin, tomas };
}

function addPerson(office: SampleOffice, name: string, email: string): Promise<string> {
  return Provisioner.with(office.adminUrl, async (provisioner) => {
    const tenantId = await provisioner.findTenant(company.slug);
    if (tenantId === undefined) throw new Error("the sample company is missing");
    return provisioner.addPrincipal(tenantId, { kind: "user", name, email });
  });
}
