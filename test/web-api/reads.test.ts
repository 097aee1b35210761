// Every question of the API on a demo team: the answer has the schema that the API promises, and is the value of the
// command's --json.

import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utcSeconds } from "../../src/base/text/utc.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json } from "../command.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";
import { openedServer } from "../web-server/opened.js";
import { apiOf, inFolder, type Json, steady } from "./asked.js";

const lead = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const dev = "b63de03a-6d49-5f14-9be3-0aac60a859ed";
let home: TestHome;
/** A second in which the lead was there. */
let then: string;
const dated = (text: string) => text.replace("THEN", then);

beforeAll(async () => {
  home = makeHome();
  hivemind(home, ["hooks", "install"]);
  startAgents(home, "web", ["--session-id", lead, "-n", "lead"], ["--session-id", dev, "-n", "dev"]);
  await idleAgents(home, 2);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "lead"]);
  hivemind(home, ["registry", "set", "web:0.1", "dev"]);
  hivemind(home, ["send", "lead", "--wait", "plan the race [usage 40000]"]);
  hivemind(home, ["send", "lead", "--wait", "again [usage 90000]"]);
  hivemind(home, ["save"]);
  startAgents(home, "side", ["--resume", lead, "--fork-session", "-n", "scout"]);
  await idleAgents(home, 3);
  hivemind(home, ["registry", "set", "side:0.0", "scout"]);
  hivemind(home, ["hold", "dev"]);
  hivemind(home, ["send", "dev", "later"]);
  hivemind(home, ["send", "lead", "run it [ask]"]);
  await until("a request", () => json<Json>(home, ["inbox"]).items.length > 0);
  then = utcSeconds(Date.now());
  await until("the next second", () => utcSeconds(Date.now()) > then);
  writeFileSync(join(home.work, "hivemind.yaml"), "project: shop\nagents:\n  po:\n    kind: demo\n");
});
afterAll(() => removeHome(home));

/** The path, and the command with the same value. */
const questions: [string, string[]][] = [
  ["/status", ["status"]],
  ["/status?team=web&explain&screens=true", ["status", "web", "--explain", "--screens"]],
  ["/fleet", ["fleet", "status"]],
  ["/inbox", ["inbox"]],
  ["/inbox?team=side", ["inbox", "side"]],
  ["/sessions", ["sessions"]],
  ["/sessions?all=1&title=LEAD", ["sessions", "--all", "--title", "lead"]],
  ["/sessions/search?text=race&all=true&limit=3", ["sessions", "search", "race", "--all", "--limit", "3"]],
  ["/sessions/lead", ["sessions", "show", "lead"]],
  [`/sessions/${dev}?all=false`, ["sessions", "show", dev]],
  ["/sessions/lead/messages", ["sessions", "export", "lead", "--count", "50"]],
  ["/sessions/lead/messages?count=2&all", ["sessions", "export", "lead", "--count", "2", "--all"]],
  ["/lineage?all=true", ["lineage", "--all"]],
  ["/lineage?ref=scout", ["lineage", "scout"]],
  ["/history/web:0.0", ["history", "web:0.0"]],
  [`/history/${lead.slice(0, 8)}?at=THEN`, ["history", lead.slice(0, 8), "--at", "THEN"]],
  ["/events", ["events"]],
  ["/events?lines=2", ["events", "--lines", "2"]],
  ["/queue", ["queue", "list"]],
  ["/queue?name=dev", ["queue", "list", "dev"]],
  ["/messages/lead", ["queue", "list", "lead", "--receipts"]],
  ["/messages/web%3A0.1", ["queue", "list", "web:0.1", "--receipts"]],
  ["/context", ["context"]],
  ["/context/lead", ["context", "lead"]],
  ["/context/lead/history", ["context", "lead", "--history"]],
  [`/context/${lead}/history`, ["context", lead, "--history"]],
  ["/snapshots", ["snapshots"]],
  ["/consistency/audit", ["consistency", "audit"]],
  ["/consistency/audit?team=web", ["consistency", "audit", "web"]],
  ["/consistency/reconcile", ["consistency", "reconcile"]],
  ["/plan", ["plan"]],
  ["/plan?agents=po", ["plan", "po"]],
];

/** They have tests of their own. */
const withoutCommand = ["/plan/file", "/fleet/{host}/inbox"];

describe("a question", () => {
  test.each(questions)("%s has the value of the command", async (path, command) => {
    inFolder(home.work);
    const { status, value } = await apiOf(home).get(dated(path));
    expect(status).toBe(200);
    const { stdout } = hivemind(home, [...command.map(dated), "--json"]);
    expect(steady(value)).toEqual(steady(JSON.parse(stdout)));
  });

  test("of every endpoint is among them", () => {
    const forms = apiOf(home)
      .endpoints.filter(({ method, path }) => method === "GET" && !withoutCommand.includes(path))
      .map(({ path }) => path);
    const fits = (form: string, path: string) =>
      new RegExp(`^${form.replace(/\{\w+\}/g, "[^/]+")}$`).test(path.replace(/\?.*/, ""));
    for (const form of forms)
      expect(
        questions.some(([path]) => fits(form, path)),
        form,
      ).toBe(true);
  });

  test.each([
    ["/sessions/nobody", 409, /nobody/],
    ["/context/dev", 409, /no answer yet/],
    ["/history/nobody", 409, /nobody/],
    ["/status?team=nowhere", 409, /no team "nowhere"/],
    ["/status?nope=1", 400, /there is no "nope" here/],
    ["/sessions?all=perhaps", 400, /all must be true or false/],
    ["/sessions/lead/messages?count=many", 400, /count must be a whole number/],
    ["/sessions/lead/messages?count=0", 400, /not a number of messages/],
    ["/sessions/search", 400, /text is missing/],
  ])("%s is %i with a sentence", async (path, status, message) => {
    inFolder(home.work);
    const asked = await apiOf(home).get(path);
    expect({ status: asked.status, message: asked.value.error.message }).toEqual({
      status,
      message: expect.stringMatching(message),
    });
  });

  test("nothing found and something wrong are answers, not failures", async () => {
    inFolder(home.work);
    const api = apiOf(home);
    expect(await api.get("/sessions/search?text=xyzzy")).toMatchObject({
      status: 200,
      value: { sessions: [] },
    });
    appendFileSync(join(home.config, "hivemind.teams.env"), "gone|away\n");
    const audit = await api.get("/consistency/audit");
    expect(audit).toMatchObject({ status: 200, value: { violations: [{ invariant: "I3", key: "gone" }] } });
    const planned = await api.get("/consistency/reconcile");
    expect(planned).toMatchObject({ status: 200, value: { violations: [{ op: "remove" }], repaired: [] } });
    const fixed = await api.post("/consistency/fix", { yes: true });
    expect(fixed).toMatchObject({ status: 200, value: { violations: [], repaired: [{ key: "gone" }] } });
  });

  test("for the team file has its text", async () => {
    inFolder(home.work);
    const { value } = await apiOf(home).get("/plan/file");
    expect(value).toEqual({
      version: 1,
      path: join(home.work, "hivemind.yaml"),
      text: "project: shop\nagents:\n  po:\n    kind: demo\n",
    });
    inFolder(home.root);
    const none = await apiOf(home).get("/plan/file");
    expect(none).toMatchObject({ status: 409, value: { error: { message: /no team file/ } } });
  });
});

describe("many questions at once", () => {
  test("share one look if they are the same", async () => {
    const real = openHive({ env: home.env });
    let looks = 0;
    const hive = {
      ...real,
      viewFleet: (...args: Parameters<Hive["viewFleet"]>) => {
        looks++;
        return real.viewFleet(...args);
      },
    };
    const api = apiOf(home, { hive });
    const all = await Promise.all(Array.from({ length: 30 }, () => api.get("/status")));
    expect(all.every(({ status, value }) => status === 200 && value.teams.length === 2)).toBe(true);
    expect(looks).toBe(1);
    await Promise.all([api.get("/status"), api.get("/status?team=web")]);
    expect(looks).toBe(3);
  });

  test("wait in a line, and what does not fit is refused at once", async () => {
    const api = apiOf(home);
    const room = limits.webReads + limits.webReadsWaiting;
    const names = Array.from({ length: room + 20 }, (_, at) => `nobody${at}`);
    const all = await Promise.all(names.map((name) => api.get(`/context/${name}`)));
    expect(all.slice(0, room).every(({ status }) => status === 409)).toBe(true);
    expect(all.slice(room).map(({ status, value }) => [status, value.error.message])).toEqual(
      names.slice(room).map(() => [503, "the server has too much to do"]),
    );
    expect((await api.get("/status")).status).toBe(200);
  });
});

describe("over HTTP", () => {
  test("the same values come", async () => {
    inFolder(home.work);
    const api = apiOf(home);
    const { endpoints, hive } = api;
    const { ask, token } = await openedServer(home, { endpoints }, hive);
    const known = await token();
    for (const path of questions.map(([each]) => dated(each))) {
      const { status, text } = await ask(`/api/v1${path}`, { token: known });
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(steady(JSON.parse(text)), path).toEqual(steady((await api.get(path)).value));
    }
  });

  test("the document lists exactly what is routed, and its schemas are those of the endpoints", async () => {
    const { endpoints, hive } = apiOf(home);
    const allowed = { actions: true, typing: true };
    const { ask, token } = await openedServer(home, { endpoints, allowed }, hive);
    const known = await token();
    const { paths, openapi } = JSON.parse((await ask("/api/v1/openapi.json", { token: known })).text);
    expect(openapi).toBe("3.1.0");
    const operations = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    const own = [
      "/server",
      "/openapi.json",
      "/login",
      "/stream",
      "/panes/{pane}/stream",
      "/panes/{pane}/keys",
    ];
    const listed = [...endpoints.map(({ path }) => path), ...own];
    expect(operations.map(([, path]) => path).sort()).toEqual(listed.sort());
    const ids = Object.values<Json>(paths).flatMap((methods) =>
      Object.values<Json>(methods).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(operations.length);
    for (const [path, methods] of Object.entries<Json>(paths))
      for (const { parameters = [] } of Object.values<Json>(methods)) {
        const inPath = parameters.filter((each: Json) => each.in === "path" && each.required);
        expect(inPath.map(({ name }: Json) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      }
    for (const [method, path] of operations) {
      // Without a token a route answers 401, and an unknown address 404; the login takes no token.
      const at = `/api/v1${path.replace(/\{\w+\}/g, "%251")}`;
      const said = method === "POST" ? { method, body: "{}" } : {};
      expect({ path, status: (await ask(at, said)).status }).toEqual({ path, status: 401 });
      const other = method === "POST" ? {} : { method: "POST", body: "{}" };
      expect({ path, status: (await ask(at, other)).status }).toEqual({ path, status: 405 });
    }
    expect((await ask("/api/v1/nothing")).status).toBe(404);
    for (const { path, method, answer } of endpoints) {
      const { responses } = paths[path][method.toLowerCase()];
      expect(responses[200].content["application/json"].schema, path).toEqual(
        JSON.parse(JSON.stringify(answer)),
      );
    }
  });
});
