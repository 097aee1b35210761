// What was typed after `serve`, checked: where to listen, what to allow, and the files that this needs.

import { isIP } from "node:net";
import { UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import type { Input, Option } from "../command.js";
import type { ServerWishes } from "./open-server.js";

export const serveOptions: readonly Option[] = [
  { name: "port", value: "number", about: `the port (default: ${limits.webPort}); 0 is any free one` },
  {
    name: "allow-actions",
    about: "the page may send, approve, restart and repair; only a person may start it so",
  },
  { name: "allow-typing", about: "the page may also type into panes; needs --allow-actions" },
  {
    name: "listen",
    value: "address",
    about: "an address of this host, with :PORT or without (default: 127.0.0.1)",
  },
  {
    name: "host",
    value: "name",
    isMany: true,
    about: "another name by which the server is called; may be repeated",
  },
  { name: "tls-cert", value: "file", meaning: "path", about: "the certificate chain for TLS, as PEM" },
  { name: "tls-key", value: "file", meaning: "path", about: "its private key" },
  { name: "behind-proxy", about: "a proxy in front of the server speaks TLS for it" },
  {
    name: "token-file",
    value: "file",
    meaning: "path",
    about: "a token for programs, in a file that only you can read",
  },
  {
    name: "metrics-token",
    value: "file",
    meaning: "path",
    about: "answer /metrics to whoever has the token in this file",
  },
];

export async function wishesIn(input: Input): Promise<ServerWishes> {
  const listen = listenIn(input);
  const [certPath, keyPath] = [input.option("tls-cert"), input.option("tls-key")];
  if ((certPath === undefined) !== (keyPath === undefined))
    throw new UsageError("TLS needs both --tls-cert and --tls-key", {
      hint: "hivemind serve --tls-cert cert.pem --tls-key key.pem",
    });
  const isBehindProxy = input.flag("behind-proxy");
  const hasTls = certPath !== undefined;
  const { isLoopback } = await import("../../web/access.js");
  const { readTlsFiles, readTokenFile } = await import("../../web/secret-files.js");
  if (!isLoopback(listen.host)) refuseOpen(listen.host, hasTls || isBehindProxy, input.option("token-file"));
  const allowed = { actions: input.flag("allow-actions"), typing: input.flag("allow-typing") };
  if (allowed.typing && !allowed.actions)
    throw new UsageError("--allow-typing needs --allow-actions: whoever types can do everything", {
      hint: "hivemind serve --allow-actions --allow-typing",
    });
  const tokenIn = (option: string) => {
    const path = input.option(option);
    return path === undefined ? null : readTokenFile(path);
  };
  return {
    ...{ listen, allowed, isBehindProxy },
    names: input.options("host").map(nameIn),
    tls: hasTls ? readTlsFiles(certPath, keyPath!) : null,
    lastingToken: tokenIn("token-file"),
    metricsToken: tokenIn("metrics-token"),
  };
}

/** Everybody in the network can reach such a server. */
function refuseOpen(host: string, isEncrypted: boolean, tokenFile: string | undefined): void {
  if (!isEncrypted)
    throw new UsageError(`refused to listen on ${host}: everybody in the network could read along`, {
      hint: "add --tls-cert FILE --tls-key FILE; if a proxy speaks TLS for it: --behind-proxy",
    });
  if (tokenFile === undefined)
    throw new UsageError(`refused to listen on ${host} without a token`, {
      hint: "umask 077; openssl rand -hex 32 > token; then add --token-file token",
    });
}

function listenIn(input: Input): { host: string; port: number } {
  const typed = input.option("listen");
  const { host, port } = typed === undefined ? { host: "127.0.0.1", port: undefined } : addressIn(typed);
  const given = input.option("port");
  if (port !== undefined && given !== undefined)
    throw new UsageError("--port and the port of --listen exclude each other", {
      hint: `hivemind serve --listen ${host}:${port}`,
    });
  return { host, port: portIn(port ?? given ?? String(limits.webPort)) };
}

/** `127.0.0.1`, `127.0.0.1:80`, `::1`, `[::1]:80`. */
function addressIn(typed: string): { host: string; port: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*|.*:.*:.*?))(?::(\d+))?$/.exec(typed) ?? [];
  const isWholeIp = isIP(typed) > 0;
  const host = isWholeIp ? typed : (bracketed ?? plain ?? "");
  if (isIP(host) > 0 || host === "localhost") return { host, port: isWholeIp ? undefined : port };
  throw new UsageError(`--listen takes an address of this host, not "${harmless(typed)}"`, {
    hint: "hivemind serve --listen 127.0.0.1:7433; a name goes to --host",
  });
}

function portIn(typed: string): number {
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`a port is 0 to 65535, not "${harmless(typed)}"`, { hint: "hivemind serve --port 0" });
}

function nameIn(typed: string): string {
  if (
    /^[A-Za-z0-9](?:[\w.-]{0,252})(?::\d{1,5})?$/.test(typed) ||
    /^\[[0-9a-f:.]+\](?::\d{1,5})?$/i.test(typed)
  )
    return typed;
  throw new UsageError(`--host takes a name, not "${harmless(typed)}"`, {
    hint: "hivemind serve --host hive.example",
  });
}
