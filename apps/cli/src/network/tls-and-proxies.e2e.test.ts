import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Certificate, Certificates } from "../../testing/certificates.ts";
import * as faults from "../../testing/fault-proxy.ts";
import { NetworkLab } from "../../testing/network-lab.ts";

let lab: NetworkLab;
beforeAll(async () => {
  lab = await NetworkLab.open();
});
afterAll(() => lab?.close());

describe("certificates", () => {
  let certificates: Certificates;
  let issued: Certificate;
  beforeAll(async () => {
    certificates = await Certificates.make(join(lab.svc.folder, "certificates"));
    issued = await certificates.issued("good", "DNS:localhost,IP:127.0.0.1");
  });

  const bad: Record<string, [() => Promise<Certificate>, RegExp]> = {
    "self-signed": [() => certificates.selfSigned(), /issued by “Self Made”/],
    "for another name": [() => certificates.issued("other", "DNS:other.example"), /Nosy Inspection CA/],
    expired: [() => certificates.issued("old", "DNS:localhost", [-30, -1]), /Nosy Inspection CA/],
    "of an unknown authority": [async () => issued, /Nosy Inspection CA/],
  };

  test.for(Object.entries(bad))("%s: exit 41, and who issued it", async ([name, [make, says]]) => {
    const proxy = await lab.before([faults.passOn], await make());
    const { exitCode, error } = await lab.create(name, proxy.url("localhost"));
    expect(error).toMatch(says);
    expect(error).toMatch(/\nhint: .*SSL_CERT_FILE/);
    expect(exitCode).toBe(41);
    expect(await lab.countOf(name)).toBe(0);
  });

  test.for(["for another name", "expired"])(
    "%s: exit 41 also where its authority is trusted",
    async (name) => {
      const proxy = await lab.before([faults.passOn], await bad[name]?.[0]());
      const trusting = { SSL_CERT_FILE: certificates.authority };
      const { exitCode, error } = await lab.create(name, proxy.url("localhost"), trusting);
      expect(error).toMatch(/\nhint: /);
      expect(exitCode).toBe(41);
    },
  );

  test("a company's authority is trusted where SSL_CERT_FILE names it", async () => {
    const proxy = await lab.before([faults.passOn], issued);
    const trusting = { SSL_CERT_FILE: certificates.authority };
    expect(await lab.create("inspected", proxy.url("localhost"), trusting)).toMatchObject({
      exitCode: 0,
      error: "",
    });
    expect(await lab.countOf("inspected")).toBe(1);
  });

  test("through a proxy too: CONNECT, and nobody sees what is in it", async () => {
    const proxy = await lab.before([faults.passOn], issued);
    const forward = await lab.forwardProxy();
    const more = { SSL_CERT_FILE: certificates.authority, HTTPS_PROXY: forward.url() };
    expect(await lab.create("tunnel", proxy.url("localhost"), more)).toMatchObject({
      exitCode: 0,
      error: "",
    });
    expect(forward.asked).toEqual([`CONNECT localhost:${proxy.port}`]);
  });

  test("a proxy that wants a password: exit 42 without, and with a wrong one, which is not shown", async () => {
    const proxy = await lab.before([faults.passOn], issued);
    const forward = await lab.forwardProxy("ann:s3cret");
    for (const credentials of [undefined, "ann:wr0ng"]) {
      const more = { SSL_CERT_FILE: certificates.authority, HTTPS_PROXY: forward.url(credentials) };
      const { exitCode, error } = await lab.create("locked", proxy.url("localhost"), more);
      expect(error).toMatch(/^error: The proxy .*\nhint: .*password/);
      expect(error).not.toContain("wr0ng");
      expect(exitCode).toBe(42);
    }
    const more = { SSL_CERT_FILE: certificates.authority, HTTPS_PROXY: forward.url("ann:s3cret") };
    expect(await lab.create("locked", proxy.url("localhost"), more)).toMatchObject({
      exitCode: 0,
      error: "",
    });
    expect(await lab.countOf("locked")).toBe(1);
  });

  test("a proxy that looks into it is named as well, where nobody but it knows the way", async () => {
    const proxy = await lab.before([faults.passOn], await certificates.issued("far", "DNS:svc.example"));
    const forward = await lab.forwardProxy("ann:s3cret");
    const more = { HTTPS_PROXY: forward.url("ann:s3cret") };
    const { exitCode, error } = await lab.create("both", proxy.url("svc.example"), more);
    expect(error).toMatch(/svc\.example.*issued by “Nosy Inspection CA”.*\nhint: .*SSL_CERT_FILE/);
    expect(exitCode).toBe(41);
    const trusting = { ...more, SSL_CERT_FILE: certificates.authority };
    expect(await lab.create("both", proxy.url("svc.example"), trusting)).toMatchObject({ exitCode: 0 });
    expect(await lab.countOf("both")).toBe(1);
  });
});

describe("an http proxy", () => {
  test("is asked for the whole address", async () => {
    const forward = await lab.forwardProxy();
    expect(await lab.create("plain", lab.address, { HTTP_PROXY: forward.url() })).toMatchObject({
      exitCode: 0,
    });
    expect(forward.asked).toEqual([`POST ${lab.address}/api/v1/cli`]);
  });

  test("that wants a password is exit 42, and answers with the right one", async () => {
    const forward = await lab.forwardProxy("ann:s3cret");
    const refused = await lab.create("plain locked", lab.address, { HTTP_PROXY: forward.url() });
    expect(refused.error).toMatch(/^error: The proxy .*\nhint: .*password/);
    expect(refused.exitCode).toBe(42);
    const more = { HTTP_PROXY: forward.url("ann:s3cret") };
    expect(await lab.create("plain locked", lab.address, more)).toMatchObject({ exitCode: 0 });
    expect(await lab.countOf("plain locked")).toBe(1);
  });

  test.for(["http", "https"])("that is dead is exit 42 and named (%s)", async (scheme) => {
    const forward = await lab.forwardProxy();
    const url = forward.url();
    forward.stop();
    const more = { [`${scheme.toUpperCase()}_PROXY`]: url };
    const { exitCode, error } = await lab.create("dead", `${scheme}://localhost:1`, more);
    expect(error).toContain(`error: The proxy ${url} refuses the connection.\nhint: `);
    expect(exitCode).toBe(42);
  });

  test("that has no address is exit 42, and it is the proxy that is named", async () => {
    const more = { HTTPS_PROXY: "http://no-such-proxy.invalid:3128" };
    const { exitCode, error } = await lab.create("lost", "https://localhost:1", more);
    expect(error).toMatch(/^error: The proxy http:\/\/no-such-proxy.invalid:3128 .*\nhint: /);
    expect(exitCode).toBe(42);
  });

  test("is not asked for what NO_PROXY names", async () => {
    const forward = await lab.forwardProxy();
    const more = { HTTP_PROXY: forward.url(), NO_PROXY: "example.com,127.0.0.1" };
    expect(await lab.create("direct", lab.address, more)).toMatchObject({ exitCode: 0 });
    expect(forward.asked).toEqual([]);
  });
});
