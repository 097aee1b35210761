// A value of the API is a value: it never becomes an option, a path, a word of a shell, or markup.

import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Endpoint } from "../../src/web/endpoint.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind } from "../command.js";
import { makeHome, removeHome, type TestHome } from "../home.js";
import { apiOf, inFolder, type Json } from "./asked.js";

let home: TestHome;

beforeAll(async () => {
  home = makeHome();
  startAgents(home, "web", ["-n", "lead"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.0", "lead"]);
  writeFileSync(join(home.work, "hivemind.yaml"), "project: shop\nagents:\n  po:\n    kind: demo\n");
});
afterAll(() => removeHome(home));

const hostile: [string, string][] = [
  ["an option that answers yes", "--yes"],
  ["an option with a value", "--out=/tmp/hm-hostile"],
  ["a short option", "-y"],
  ["the end of options", "--"],
  ["a request for help", "--help"],
  ["a separator", "; touch hostile"],
  ["a substitution", "$(touch hostile)"],
  ["backticks", "`touch hostile`"],
  ["a path upwards", "../../../etc/passwd"],
  ["an absolute path", "/etc/passwd"],
  ["a home folder", "~/.ssh/id_rsa"],
  ["10 kB", "x".repeat(10_240)],
  ["control characters", "a\u0000\u0007\u001b[2Jb\r\nc"],
  ["bidirectional overrides", "\u202egnp.exe\u2066\u200f"],
  ["markup", "<img src=x onerror=alert(1)>"],
  ["a row of a store", "a|b|c\nd|e|f"],
  ["nothing", ""],
  ["a prototype", "__proto__"],
];

/** The endpoint with this value in every field that takes text. */
function filled(endpoint: Endpoint, value: string): { parameters: Map<string, string>; body: Json } {
  const parameters = new Map<string, string>();
  for (const { name, schema } of endpoint.parameters)
    if (schema.type === "string") parameters.set(name, value);
  const properties = (endpoint.body?.properties ?? {}) as Json;
  const fields = Object.entries<Json>(properties).filter(([, { type, anyOf }]) => type === "string" || anyOf);
  return { parameters, body: Object.fromEntries(fields.map(([name]) => [name, value])) };
}

const never = new AbortController().signal;

test.each(hostile)("%s", async (_, value) => {
  inFolder(home.work);
  const { endpoints, notes } = apiOf(home);
  const before = readdirSync(home.root).sort();
  for (const endpoint of endpoints) {
    const { path } = endpoint;
    const call = { ...filled(endpoint, value), source: "web 127.0.0.1", interrupted: never };
    // What takes no text would simply do its work.
    if (call.parameters.size + Object.keys(call.body).length === 0) continue;
    const answer = await endpoint.run(call);
    const text = JSON.stringify(answer.value);
    expect({ path, status: answer.status, text }).toMatchObject({ path, status: expected(path, value) });
    if (answer.status !== 200) {
      const { message, hint } = (answer.value as Json).error;
      for (const said of [message, hint ?? ""]) {
        expect(said).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(said).not.toContain("Usage: hivemind");
      }
    }
    expect(text).not.toContain("root:x:0");
  }
  expect(existsSync("/tmp/hm-hostile")).toBe(false);
  expect(existsSync(join(home.work, "hostile"))).toBe(false);
  expect(readdirSync(home.work)).toEqual(["hivemind.yaml"]);
  expect(readdirSync(home.root).sort()).toEqual(before);
  expect(notes).toEqual([]);
  expect(home.tmux("list-panes", "-a", "-F", "#{session_name} #{pane_dead}").trim()).toBe("web 0");
});

/** Free text finds nothing; every name is refused. */
function expected(path: string, value: string): unknown {
  if (path === "/sessions") return 200;
  if (path === "/sessions/search") return value === "" || value.length > 1000 ? 400 : 200;
  return expect.toSatisfy((status: number) => status === 400 || status === 409);
}

test("a text is delivered as it is, whatever it looks like, or refused as a whole", async () => {
  const api = apiOf(home);
  await api.post("/hold", { name: "lead" });
  const texts = hostile.map(([, value]) => value).filter((value) => value.length < 10_000);
  const kept: string[] = [];
  for (const text of texts) {
    const { status } = await api.post("/send", { name: "lead", text });
    if (status === 202) kept.push(text);
    else expect(text === "" || /[\u0000-\u0008\u000b-\u001f]/.test(text), JSON.stringify(text)).toBe(true);
  }
  const [queue] = (await api.get("/queue?name=lead")).value.queues;
  expect(queue.messages.map(({ text }: Json) => text)).toEqual(kept);
  expect(kept).toContain("--yes");
  expect(kept.length).toBeGreaterThan(10);
});

test("a value of a wrong kind, and a field that is not there, are refused before anything runs", async () => {
  const api = apiOf(home);
  const wrong: Json[] = [
    { name: 7, text: "x" },
    { name: ["lead"], text: "x" },
    { name: { toString: "lead" }, text: "x" },
    { name: "lead", text: null },
    { name: "lead", text: [] },
    { name: "lead", text: ["x", 1] },
    { name: "lead", text: "x", now: "true" },
    { name: "lead", text: "x", file: "/etc/passwd" },
    { name: "lead", text: "x", wait: true },
    { name: "lead", text: "x", json: false },
    JSON.parse('{"name":"lead","text":"x","__proto__":{"now":true}}'),
  ];
  for (const body of wrong)
    expect({ body, status: (await api.post("/send", body)).status }).toEqual({ body, status: 400 });
  const paths = api.endpoints.flatMap(({ parameters, body }) => [
    ...parameters.map(({ name }) => name),
    ...Object.keys((body?.properties ?? {}) as Json),
  ]);
  for (const name of ["out", "file", "cwd", "fromDir", "from-dir", "json", "format"])
    expect(paths).not.toContain(name);
});
