import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { proxyUrlOf } from "./proxy.ts";

interface Certificate {
  issuer: string;
  validTo: string;
  isTrusted: boolean;
  protocol: string;
}

const within = 3_000;

/** Asks for a certificate and sends nothing: names the issuer of an untrusted certificate. */
export async function readCertificate(address: URL): Promise<Certificate> {
  const host = address.hostname.replace(/^\[|\]$/g, "");
  const port = Number(address.port || 443);
  const proxy = proxyUrlOf(address);
  const connection = proxy ? connect(Number(proxy.port || 80), proxy.hostname) : connect(port, host);
  const late = setTimeout(() => connection.destroy(new Error("no answer in time")), within);
  try {
    if (proxy) await askForTunnel(connection, `${host.includes(":") ? `[${host}]` : host}:${port}`, proxy);
    return await certificateOf(connection, host);
  } finally {
    clearTimeout(late);
    connection.destroy();
  }
}

/** It is often the proxy that intercepts, and only the proxy can reach the server. */
async function askForTunnel(connection: Socket, target: string, proxy: URL): Promise<void> {
  const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const authorization = `Proxy-Authorization: Basic ${Buffer.from(credentials).toString("base64")}\r\n`;
  connection.write(
    `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${proxy.username ? authorization : ""}\r\n`,
  );
  // In TLS the client speaks first: everything that arrives now is the proxy's answer.
  const [answer] = (await once(connection, "data")) as [Buffer];
  if (!/^HTTP\/1\.\d 200/.test(String(answer))) throw new Error("the proxy refuses this address");
}

function certificateOf(connection: Socket, host: string): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      socket: connection,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
    });
    socket.once("error", reject);
    connection.once("close", () => reject(new Error("the connection was interrupted")));
    socket.once("secureConnect", () => {
      const { issuer, valid_to: validTo } = socket.getPeerCertificate();
      resolve({
        issuer: [issuer?.CN, issuer?.O].flat().find((name) => name) ?? "nobody named",
        validTo,
        isTrusted: socket.authorized,
        protocol: socket.getProtocol() ?? "",
      });
    });
  });
}
