// What the server refuses, and that it answers everybody else.

import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/base/errors.js";
import { limits } from "../../src/limits.js";
import { TmuxError } from "../../src/tmux/error.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";
import { endpoint, login, openedServer, type Said, secretIn } from "./opened.js";

const path = "/api/v1/server";
const json = { "content-type": "application/json" };

describe("a request", () => {
  const cases: [string, (port: number) => Said, number][] = [
    ["without a token", () => ({}), 401],
    ["with a wrong token", () => ({ token: "a".repeat(43) }), 401],
    ["with the token in the address", () => ({}), 401],
    ["to another host", () => ({ headers: { host: "evil.example" } }), 421],
    ["to another port of this host", () => ({ headers: { host: "127.0.0.1:1" } }), 421],
    ["from another origin", () => ({ headers: { origin: "http://evil.example" } }), 403],
    ["from another port of this host", () => ({ headers: { origin: "http://127.0.0.1:1" } }), 403],
    ["from another site", () => ({ headers: { "sec-fetch-site": "cross-site" } }), 403],
    ["with another method", () => ({ method: "DELETE" }), 405],
    [
      "that asks what another origin may do",
      (port) => ({ method: "OPTIONS", headers: { origin: `http://127.0.0.1:${port}` } }),
      405,
    ],
    ["that posts what is not for it", () => ({ method: "POST", headers: json }), 405],
    [
      "that posts a form",
      () => ({ method: "POST", headers: { "content-type": "text/plain" }, body: "{}" }),
      415,
    ],
  ];
  test.each(cases)("%s is refused", async (_, said, status) => {
    const { ask, port, token } = await openedServer(testHome());
    const refused = await ask(`${path}?token=x`, said(port));
    expect(refused.status).toBe(status);
    expect(JSON.parse(refused.text)).toMatchObject({ version: 1, error: { message: expect.any(String) } });
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    // With its token every one of them is still refused, except for the lack of one.
    const known = await token();
    const again = await ask(path, { ...said(port), token: known });
    expect(again.status).toBe(status === 401 ? 200 : status);
  });

  test("of the page itself is answered, with strict headers and nothing that a cache keeps", async () => {
    const { ask, port, token } = await openedServer(testHome());
    const headers = { origin: `http://127.0.0.1:${port}`, "sec-fetch-site": "same-origin" };
    const answer = await ask(path, { headers, token: await token() });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toMatchObject({ version: 1, release: "0.0.0", allowsActions: false });
    expect(answer.headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
    const policy = answer.headers["content-security-policy"]!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers["set-cookie"]).toBeUndefined();
  });

  test("for a path that does not exist is not found, and with HEAD only files are answered", async () => {
    const { ask } = await openedServer(testHome());
    expect((await ask("/api/v1/nothing")).status).toBe(404);
    expect((await ask("/../package.json")).status).toBe(404);
    expect((await ask("/", { method: "HEAD" })).text).toBe("");
    expect((await ask("/api/v1/stream", { method: "HEAD" })).status).toBe(405);
    const posted = await ask(path, { method: "POST", body: "{}" });
    expect([posted.status, posted.headers.allow]).toEqual([405, "GET"]);
  });
});

describe("a link", () => {
  test("is used once: the same secret again gets no token", async () => {
    const { ask, newLink } = await openedServer(testHome());
    const secret = secretIn(newLink());
    const first = await login(ask, secret);
    expect(first.status).toBe(200);
    expect((await ask(path, { token: JSON.parse(first.text).token })).status).toBe(200);
    const again = await login(ask, secret);
    expect(again.status).toBe(401);
    expect(again.text).toContain("hivemind serve link");
  });

  test("that two use at the same moment opens one page, in two servers too", async () => {
    const home = testHome();
    const [one, two] = [await openedServer(home), await openedServer(home)];
    for (let round = 0; round < 20; round++) {
      const secret = secretIn(one.newLink());
      const both = await Promise.all([
        login(one.ask, secret),
        login(two.ask, secret),
        login(one.ask, secret),
      ]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    }
  });

  test("that is too old opens nothing", async () => {
    const { ask, newLink, hive } = await openedServer(testHome());
    const secret = secretIn(newLink());
    const { linkFolder } = hive.stores.serve;
    const old = new Date(Date.now() - limits.linkMs - 1_000);
    utimesSync(join(linkFolder, readdirSync(linkFolder)[0]!), old, old);
    expect((await login(ask, secret)).status).toBe(401);
  });

  test("leaves its secret and its token in no file", async () => {
    const home = testHome();
    const { ask, newLink } = await openedServer(home);
    const secret = secretIn(newLink());
    const before = JSON.stringify(contentsOf(home.root));
    const { token } = JSON.parse((await login(ask, secret)).text);
    const after = JSON.stringify(contentsOf(home.root));
    for (const text of [secret, token]) expect(before + after).not.toContain(text);
  });

  test.each(["{}", '{"secret":1}', '{"secret":null}', `{"secret":"${"a".repeat(43)}"}`])(
    "cannot be guessed: %s",
    async (body) => {
      const { ask } = await openedServer(testHome());
      expect((await ask("/api/v1/login", { method: "POST", body })).status).toBe(401);
    },
  );
});

describe("a body", () => {
  const echo = endpoint({
    method: "POST",
    path: "/echo/{name}",
    run: async ({ body, parameters, source }) => ({
      status: 200,
      value: { version: 1, body, parameters: [...parameters], source },
    }),
  });

  test("arrives with the parameters of path and query, decoded, and the path's own win", async () => {
    const { ask, token } = await openedServer(testHome(), { endpoints: [echo] });
    const said = { method: "POST", body: '{"a":1}', token: await token() };
    const { text } = await ask("/api/v1/echo/a%2Fb%20%255?name=x&all=1", said);
    expect(JSON.parse(text)).toEqual({
      version: 1,
      body: { a: 1 },
      parameters: [
        ["name", "a/b %5"],
        ["all", "1"],
      ],
      source: "web 127.0.0.1",
    });
  });

  test.each(["[1]", "1", '"x"', "{", "null"])("%s is refused", async (body) => {
    const { ask, token } = await openedServer(testHome(), { endpoints: [echo] });
    expect((await ask("/api/v1/echo/a", { method: "POST", body, token: await token() })).status).toBe(400);
  });

  test.each<[string, Record<string, string>]>([
    ["with its length", {}],
    ["in parts, without its length", { "transfer-encoding": "chunked" }],
  ])("that is too large is refused %s, and the next request is answered", async (_, headers) => {
    const { ask, token } = await openedServer(testHome(), { endpoints: [echo] });
    const known = await token();
    const body = JSON.stringify({ a: "x".repeat(limits.webBodyBytes) });
    const said = { method: "POST", body, token: known, headers };
    // A server that stops reading may close the connection before the client has sent everything.
    const refused = await ask("/api/v1/echo/a", said).catch(({ code }) => ({ status: code }));
    expect([413, "EPIPE", "ECONNRESET"]).toContain(refused.status);
    expect((await ask("/api/v1/echo/a", { ...said, body: "{}", headers: {} })).status).toBe(200);
  });

  test("without a token is not read", async () => {
    const { ask } = await openedServer(testHome(), { endpoints: [echo] });
    const body = JSON.stringify({ a: "x".repeat(limits.webBodyBytes) });
    const refused = await ask("/api/v1/echo/a", { method: "POST", body }).catch(({ code }) => ({
      status: code,
    }));
    expect([401, "EPIPE", "ECONNRESET"]).toContain(refused.status);
  });
});

describe("an endpoint", () => {
  test.each<["act" | "type", boolean, boolean, number]>([
    ["act", false, false, 403],
    ["act", true, false, 200],
    ["type", true, false, 403],
    ["type", false, true, 403],
    ["type", true, true, 200],
  ])("that needs to %s, with actions %s and typing %s, gets %s", async (needs, actions, typing, status) => {
    let times = 0;
    const run = async () => {
      times++;
      return { status: 200 as const, value: { version: 1 } };
    };
    const endpoints = [endpoint({ method: "POST", path: "/do", needs, run })];
    const { ask, token } = await openedServer(testHome(), { endpoints, allowed: { actions, typing } });
    expect((await ask("/api/v1/do", { method: "POST", body: "{}", token: await token() })).status).toBe(
      status,
    );
    expect(times).toBe(status === 200 ? 1 : 0);
  });

  test("that fails answers with what to do, and a bug names no file of the server", async () => {
    const errors: Record<string, Error> = {
      usage: new UsageError("wrong", { hint: "right" }),
      gone: new TmuxError("no-target", "no pane"),
      unseen: new TmuxError("timeout", "no answer"),
    };
    const run = async ({ parameters }: { parameters: ReadonlyMap<string, string> }) => {
      throw errors[parameters.get("name")!] ?? new Error("/home/somebody/secret.ts is broken");
    };
    const { ask, token } = await openedServer(testHome(), {
      endpoints: [endpoint({ path: "/fail/{name}", run })],
      onBug: () => {},
    });
    const known = await token();
    const failed = async (name: string) => {
      const { status, text } = await ask(`/api/v1/fail/${name}`, { token: known });
      return [status, JSON.parse(text).error.message];
    };
    expect(await failed("usage")).toEqual([400, "wrong"]);
    expect(await failed("gone")).toEqual([409, "no pane"]);
    expect(await failed("unseen")).toEqual([503, "no answer"]);
    expect(await failed("bug")).toEqual([500, "this is a bug"]);
  });
});

describe("a token that never ends", () => {
  const [lastingToken, metricsToken] = ["l".repeat(40), "m".repeat(40)];

  test("opens the API, and the one for metrics opens only them", async () => {
    const { ask } = await openedServer(testHome(), { lastingToken, metricsToken });
    const status = async (where: string, token: string) => (await ask(where, { token })).status;
    expect(await status(path, lastingToken)).toBe(200);
    expect(await status(path, metricsToken)).toBe(401);
    expect(await status("/metrics", metricsToken)).toBe(200);
    expect(await status("/metrics", lastingToken)).toBe(401);
  });

  test("is needed for metrics, which are off without one", async () => {
    const { ask } = await openedServer(testHome());
    expect((await ask("/metrics")).status).toBe(404);
    const measured = await openedServer(testHome(), { metricsToken });
    expect((await measured.ask("/metrics")).status).toBe(401);
    const { headers, text } = await measured.ask("/metrics", { token: metricsToken });
    expect(headers["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain("hivemind_longest_wait_seconds 0\n");
  });
});
