// `hivemind serve` as a person starts it: what it prints, refuses, and leaves behind.

import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";
import { openStream, secretIn } from "./opened.js";

const tlsFolder = mkdtempSync(join(tmpdir(), "hm-tls-"));
const tlsFile = (name: string) => join(tlsFolder, name);
beforeAll(() => {
  const about = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const files = ["-keyout", tlsFile("key.pem"), "-out", tlsFile("cert.pem")];
  execFileSync("openssl", ["req", "-x509", ...key, ...about, ...files], { stdio: "ignore" });
});
afterAll(() => rmSync(tlsFolder, { recursive: true }));

const tls = ["--tls-cert", tlsFile("cert.pem"), "--tls-key", tlsFile("key.pem")];

interface Serving {
  link: string;
  printed(): string;
  /** Resolves to its exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Resolves when it works or looks on. */
async function serving(home: TestHome, ...flags: string[]): Promise<Serving> {
  const child = spawn(process.execPath, [mainProgram, "serve", "--port", "0", ...flags], {
    env: home.env,
    cwd: home.work,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  await until("it has begun", () => {
    if (child.exitCode !== null) throw new Error(`it has ended: ${printed}`);
    return /delivers messages|the work of/.test(printed);
  });
  return {
    link: /https?:\/\/\S+#secret=\S+/.exec(printed)![0],
    printed: () => printed,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

const tokenFor = async (link: string) => {
  const answer = await fetch(new URL("/api/v1/login", link), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ secret: secretIn(link) }),
  });
  return ((await answer.json()) as { token?: string }).token;
};

test("serve prints an address that opens once, says what it allows, and answers the API", async () => {
  const home = testHome();
  tmuxTeam(home, "team");
  const { link, printed } = await serving(home);
  expect(printed()).toContain("The page only looks");
  expect(printed()).toContain("Ctrl-C ends it");
  const token = await tokenFor(link);
  expect(await tokenFor(link)).toBeUndefined();
  const answer = await fetch(new URL("/api/v1/status", link), {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toMatchObject({ version: 1, teams: [{ team: "team" }] });
  const page = await fetch(new URL("/", link));
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends it whole: streams end, and neither the server's file nor a lock is left",
  async (signal) => {
    const home = testHome();
    tmuxTeam(home, "team");
    const { link, end } = await serving(home);
    const stream = await openStream(link, "/api/v1/stream", (await tokenFor(link))!);
    await until("the look", () => stream.events.some(({ event }) => event === "look"));
    expect(existsSync(join(home.config, "hivemind.serve/server"))).toBe(true);
    expect(await end(signal)).toBe(0);
    await until("the stream ends", () => stream.isEnded());
    expect(readdirSync(join(home.config, "hivemind.serve"))).toEqual(["links"]);
    expect(readdirSync(home.config).filter((name) => name.includes("lock"))).toEqual([]);
  },
);

test("serve works as the watcher, and takes over when a watcher ends", async () => {
  const home = testHome();
  tmuxTeam(home, "team");
  expect(hivemind(home, ["watch", "--background"]).code).toBe(0);
  const { link, printed } = await serving(home);
  expect(printed()).toMatch(/are the work of process \d+/);
  const stream = await openStream(link, "/api/v1/stream", (await tokenFor(link))!);
  const workers = () => stream.events.flatMap(({ event, data }) => (event === "look" ? [data.worker] : []));
  await until("another process works", () => workers().includes("another process"));
  expect(hivemind(home, ["watch", "--stop"]).code).toBe(0);
  await until("it takes over", () => printed().includes("from now on"));
});

test("serve link prints another address of the running server, and names a missing one", async () => {
  const home = testHome();
  expect(hivemind(home, ["serve", "link"])).toMatchObject({
    code: 1,
    stderr: "hivemind: no server runs on this config folder\n  hivemind serve\n",
  });
  const { link, end } = await serving(home);
  const { code, stdout } = hivemind(home, ["serve", "link"]);
  expect(code).toBe(0);
  expect(new URL(stdout.trim()).origin).toBe(new URL(link).origin);
  expect(secretIn(stdout.trim())).not.toBe(secretIn(link));
  expect(await tokenFor(stdout.trim())).toMatch(/^[\w-]{43}$/);
  await end("SIGKILL");
  expect(hivemind(home, ["serve", "link"]).stderr).toContain("no server runs");
});

test("no file and no list of processes has the secret or the token", async () => {
  const home = testHome();
  const { link } = await serving(home);
  const token = await tokenFor(link);
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    });
  const everything = JSON.stringify([contentsOf(home.root), processes]);
  for (const secret of [secretIn(link), token!]) expect(everything).not.toContain(secret);
});

test("serve over TLS answers over TLS only, with links that say so", async () => {
  const home = testHome();
  const { link } = await serving(home, ...tls);
  expect(link).toMatch(/^https:\/\/127\.0\.0\.1:/);
  const { port } = new URL(link);
  const status = await new Promise<number>((resolve, reject) => {
    const ca = readFileSync(tlsFile("cert.pem"));
    request({ host: "127.0.0.1", port, path: "/api/v1/server", ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(401);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

describe("serve refuses, with what to type,", () => {
  const file = (home: TestHome, name: string, text: string, mode = 0o600) => {
    const path = join(home.root, name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const good = "a".repeat(40);
  const cases: [string, (home: TestHome) => string[], RegExp, number?][] = [
    [
      "an open address without TLS",
      () => ["--listen", "0.0.0.0"],
      /everybody in the network[\s\S]*--tls-cert/,
      2,
    ],
    ["an open IPv6 address", () => ["--listen", "[::]:0"], /everybody in the network/, 2],
    [
      "an open address without a token",
      () => ["--listen", "0.0.0.0:0", ...tls],
      /without a token[\s\S]*--token-file/,
      2,
    ],
    [
      "an open address behind a proxy without a token",
      () => ["--listen", "0.0.0.0:0", "--behind-proxy"],
      /without a token/,
      2,
    ],
    ["half of what TLS needs", () => ["--tls-cert", tlsFile("cert.pem")], /both --tls-cert and --tls-key/, 2],
    [
      "a certificate that is none",
      (home) => ["--tls-cert", file(home, "c", "x"), "--tls-key", tlsFile("key.pem")],
      /not a certificate and its key/,
    ],
    [
      "a missing certificate",
      () => ["--tls-cert", "/nowhere", "--tls-key", "/nowhere"],
      /\/nowhere: there is no such file/,
    ],
    [
      "a missing token file",
      (home) => ["--token-file", join(home.root, "none")],
      /no such file[\s\S]*openssl rand/,
    ],
    [
      "a token file that others can read",
      (home) => ["--token-file", file(home, "t", good, 0o644)],
      /others can read it\n {2}chmod 600 /,
    ],
    ["a short token", (home) => ["--token-file", file(home, "t", "short")], /at least 32/],
    [
      "a token file that is a link",
      (home) => {
        symlinkSync(file(home, "t", good), join(home.root, "l"));
        return ["--token-file", join(home.root, "l")];
      },
      /symbolic link/,
    ],
    [
      "a metrics token that others can read",
      (home) => ["--metrics-token", file(home, "t", good, 0o640)],
      /others can read it/,
    ],
    ["typing without actions", () => ["--allow-typing"], /needs --allow-actions/, 2],
    ["a name instead of an address", () => ["--listen", "example.org"], /--listen takes an address/, 2],
    ["an address in place of a name", () => ["--host", "http://x/"], /--host takes a name/, 2],
    ["a port that is none", () => ["--port", "65536"], /a port is 0 to 65535/, 2],
    ["two ports", () => ["--listen", "127.0.0.1:1", "--port", "2"], /exclude each other/, 2],
    [
      "an address of another host",
      (home) => ["--listen", "203.0.113.1:0", ...tls, "--token-file", file(home, "t", good)],
      /this host has no address 203\.0\.113\.1/,
    ],
  ];
  test.each(cases)("%s", (_, flags, told, code = 1) => {
    const home = testHome();
    const ran = hivemind(home, ["serve", ...flags(home)]);
    expect(ran.stderr).toMatch(told);
    expect(ran.code).toBe(code);
    expect(existsSync(join(home.config, "hivemind.serve"))).toBe(false);
  });

  test("a port that another program uses", async () => {
    const home = testHome();
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await until("it listens", () => other.listening);
    const { port } = other.address() as { port: number };
    const { code, stderr } = hivemind(home, ["serve", "--port", String(port)]);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`another program uses 127\\.0\\.0\\.1:${port}\\n .*--port 0`));
  });
});

test("a link in a planted folder opens nothing", async () => {
  const home = testHome();
  const { link } = await serving(home);
  const { serve } = openStores(home.env);
  chmodSync(serve.linkFolder, 0o777);
  expect(await tokenFor(link)).toBeUndefined();
});
