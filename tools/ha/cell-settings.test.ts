import { maxStatements } from "@svc/database/statement-name";
import { expect, test } from "vitest";
import { cellHosts, poolerPort, primaryPort } from "./cell-layout.ts";
import {
  etcdArguments,
  haproxySettings,
  patroniSettings,
  pausedWaitSeconds,
  pgbouncerSettings,
  queryWaitSeconds,
} from "./cell-settings.ts";

const patroni = cellHosts.map((host) => JSON.parse(patroniSettings(host, { binFolder: "/bin" })));

test("Patroni accepts its times: loop_wait + 2 × retry_timeout ≤ ttl, and a ttl that it does not raise", () => {
  for (const { bootstrap } of patroni) {
    const { ttl, loop_wait, retry_timeout } = bootstrap.dcs;
    expect(ttl).toBeGreaterThanOrEqual(20);
    expect(loop_wait + 2 * retry_timeout).toBeLessThanOrEqual(ttl);
  }
});

test("an acknowledged write is on two nodes", () => {
  for (const { bootstrap } of patroni) {
    expect(bootstrap.dcs).toMatchObject({ synchronous_mode: true, synchronous_node_count: 1 });
  }
});

test("no two programs of the cell want the same port, and none is an ephemeral port", () => {
  const ports = [
    primaryPort,
    poolerPort,
    ...cellHosts.flatMap(({ postgresPort, patroniPort, etcdPort, etcdPeerPort }) => [
      ...[postgresPort, patroniPort, etcdPort, etcdPeerPort],
    ]),
  ];
  expect(new Set(ports).size).toBe(ports.length);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

test("every member of etcd knows all three, and Patroni asks them all", () => {
  const members = cellHosts.map(({ name, etcdPeerPort }) => `${name}=http://127.0.0.1:${etcdPeerPort}`);
  for (const host of cellHosts) {
    expect(etcdArguments(host)).toContain(`--initial-cluster=${members.join(",")}`);
  }
  for (const { etcd3 } of patroni) {
    expect(etcd3.hosts).toEqual(cellHosts.map(({ etcdPort }) => `127.0.0.1:${etcdPort}`));
  }
});

test("HAProxy asks each node's Patroni whether that node is the primary", () => {
  for (const { name, postgresPort, patroniPort } of cellHosts) {
    expect(haproxySettings()).toContain(
      `server ${name} 127.0.0.1:${postgresPort} check port ${patroniPort}\n`,
    );
  }
});

test("PgBouncer remembers more statements than svc names", () => {
  const remembered = Number(/max_prepared_statements = (\d+)/.exec(pgbouncerSettings())?.[1]);
  expect(remembered).toBeGreaterThan(maxStatements);
});

test("a caller waits longer during a planned pause than in an outage", () => {
  expect(pgbouncerSettings()).toContain(`query_wait_timeout = ${queryWaitSeconds}\n`);
  expect(pausedWaitSeconds).toBeGreaterThan(queryWaitSeconds);
});
