/** @module-tag nightly */
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
    issued = await certificates.issued("good", "DNS:localhost,IP:127.0.0.1,DNS:svc.example");
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

  test.for(["for another name", "expired"])("%s: exit 41 even if its authority is trusted", async (name) => {
    const proxy = await lab.before([faults.passOn], await bad[name]?.[0]());
    const trusting = { SSL_CERT_FILE: certificates.authority };
    const { exitCode, error } = await lab.create(name, proxy.url("localhost"), trusting);
    expect(error).toMatch(/\nhint: /);
    expect(exitCode).toBe(41);
  });

  test("a company's authority is trusted if SSL_CERT_FILE names it", async () => {
    const proxy = await lab.before([faults.passOn], issued);
    const trusting = { SSL_CERT_FILE: certificates.authority };
    expect(await lab.create("inspected", proxy.url("localhost"), trusting)).toMatchObject({
      exitCode: 0,
      error: "",
    });
    expect(await lab.countOf("inspected")).toBe(1);
  });

  test("also through a proxy: CONNECT, and nobody sees the content", async () => {
    const proxy = await lab.before([faults.passOn], issued);
    const forward = await lab.forwardProxy();
    const more = { SSL_CERT_FILE: certificates.authority, HTTPS_PROXY: forward.url() };
    expect(await lab.create("tunnel", proxy.url("svc.example"), more)).toMatchObject({
      exitCode: 0,
      error: "",
    });
    expect(forward.asked).toEqual([`CONNECT svc.example:${proxy.port}`]);
  });

  test("a proxy that requires a password: exit 42 without one, and with a wrong one, which is not shown", async () => {
    const proxy = await lab.before([faults.passOn], issued);
    const forward = await lab.forwardProxy("ann:s3cret");
    for (const credentials of [undefined, "ann:wr0ng"]) {
      const more = { SSL_CERT_FILE: certificates.authority, HTTPS_PROXY: forward.url(credentials) };
      const { exitCode, error } = await lab.create("locked", proxy.url("svc.example"), more);
      expect(error).toMatch(/^error: The proxy .*\nhint: .*password/);
      expect(error).not.toContain("wr0ng");
      expect(exitCode).toBe(42);
    }
    const more = { SSL_CERT_FILE: certificates.authority, HTTPS_PROXY: forward.url("ann:s3cret") };
    expect(await lab.create("locked", proxy.url("svc.example"), more)).toMatchObject({
      exitCode: 0,
      error: "",
    });
    expect(await lab.countOf("locked")).toBe(1);
  });

  test("a proxy that intercepts is named as well, even if only the proxy can reach the server", async () => {
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

describe("a proxy", () => {
  test("that is down is exit 42 and named", async () => {
    const forward = await lab.forwardProxy();
    const url = forward.url();
    forward.stop();
    for (const variable of ["HTTPS_PROXY", "ALL_PROXY"]) {
      const { exitCode, error } = await lab.create("dead", "https://svc.example:1", { [variable]: url });
      expect(error).toContain(`error: The proxy ${url} refuses the connection.\nhint: `);
      expect(exitCode).toBe(42);
    }
  });

  test("whose name cannot be resolved is exit 42 and named", async () => {
    const more = { HTTPS_PROXY: "http://no-such-proxy.invalid:3128" };
    const { exitCode, error } = await lab.create("lost", "https://svc.example:1", more);
    expect(error).toMatch(/^error: The proxy http:\/\/no-such-proxy.invalid:3128 .*\nhint: /);
    expect(exitCode).toBe(42);
  });

  test("is not used for hosts in NO_PROXY", async () => {
    const forward = await lab.forwardProxy();
    const more = { HTTPS_PROXY: forward.url(), NO_PROXY: "example.com,svc.invalid" };
    expect(await lab.create("direct", "https://svc.invalid:1", more)).toMatchObject({ exitCode: 40 });
    expect(forward.asked).toEqual([]);
  });
});
