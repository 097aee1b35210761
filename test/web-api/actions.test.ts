// What the API does: as the command line does it, in the name of the person who started the server, and as an event.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { type AgentPane, letters, startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { openedServer } from "../web-server/opened.js";
import { type Api, apiOf, inFolder, type Json } from "./asked.js";

const actsOf = async (api: Api) =>
  (await api.get("/events")).value.events
    .filter(({ event }: Json) => event === "web.acted")
    .map(({ args: { action, what, by, from, outcome } }: Json) =>
      [action, what, by, from, outcome].join(" "),
    );

async function named(home: TestHome, role: string, args: readonly string[] = []): Promise<AgentPane> {
  const agent = startAgent(home, ["-n", role, ...args]);
  await agent.becomes("idle");
  hivemind(home, ["registry", "set", agent.pane, role]);
  return agent;
}

const typedIn = (agent: AgentPane) => JSON.stringify(agent.transcript());

test("a message is delivered, queued and held with the outcome of `send`", async () => {
  const home = testHome();
  const [lead, dev] = [await named(home, "lead"), await named(home, "dev")];
  const api = apiOf(home);
  const sent = await api.post("/send", { name: "lead", text: "-- --yes is a text; $(touch x)" });
  expect(sent).toMatchObject({
    status: 200,
    value: { outcome: "delivered", door: "keys", answered: null },
  });
  await until("its record", () => typedIn(lead).includes("-- --yes is a text; $(touch x)"));

  expect((await api.post("/hold", { name: "dev" })).value.lines).toEqual(["dev is on hold"]);
  expect(await api.post("/send", { name: "dev", text: "later" })).toMatchObject({
    status: 202,
    value: { outcome: "held", position: 1 },
  });
  const team = json<Json>(home, ["status"]).teams.find(({ agents }: Json) => agents[0].role === "dev").team;
  const told = await api.post("/broadcast", { team, text: "all of you" });
  expect(told).toMatchObject({ status: 202, value: { team, agents: [{ role: "dev", outcome: "held" }] } });
  expect((await api.get("/messages/dev")).value.messages).toMatchObject([
    { direction: "received", with: { kind: "person" }, text: "later", door: null, step: "queued" },
    { text: "all of you", steps: [{ step: "queued" }] },
  ]);
  expect((await api.post("/release", { name: "dev" })).value.lines).toEqual(["dev is released"]);
  hivemind(home, ["queue", "drain", "dev"]);
  await until("its record", () => typedIn(dev).includes("later"));
  expect((await api.get("/messages/dev")).value.messages[0]).toMatchObject({ text: null, door: "keys" });

  expect(await api.post("/send", { name: "nobody", text: "x" })).toMatchObject({ status: 409 });
  expect(await api.post("/send", { name: "lead" })).toMatchObject({
    status: 400,
    value: { error: { message: expect.stringMatching(/^text is missing/) } },
  });
  expect(await api.post("/send", { name: "lead", text: "-" })).toMatchObject({
    status: 400,
    value: { error: { message: expect.stringContaining("stdin") } },
  });
  expect(await actsOf(api)).toEqual([
    "/send lead po web 127.0.0.1 done",
    "/hold dev po web 127.0.0.1 done",
    "/send dev po web 127.0.0.1 held",
    `/broadcast --team=${team} po web 127.0.0.1 queued`,
    "/release dev po web 127.0.0.1 done",
    "/send nobody po web 127.0.0.1 refused",
    "/send  po web 127.0.0.1 refused",
    "/send lead po web 127.0.0.1 refused",
  ]);
});

test("decisions are the starter's, from the web, and a changed request is refused", async () => {
  const home = testHome();
  hivemind(home, ["hooks", "install"]);
  const agent = await named(home, "lead");
  const api = apiOf(home);
  const asks = async (text: string) => {
    agent.type(`${text}\r`);
    return until("its request", async () => (await api.get("/inbox")).value.items[0]?.request);
  };
  const first = await asks("go [ask]");
  expect(await api.post("/approve", { name: "req-aaaaaaaa" })).toMatchObject({
    status: 409,
    value: { error: { message: expect.stringMatching(/is gone/) } },
  });
  expect((await api.post("/approve", { name: first.id })).value.lines).toEqual([
    "lead: approved Bash: touch demo",
  ]);
  await agent.becomes("idle");
  const second = await asks("go [ask]");
  expect((await api.post("/reject", { name: second.id, reason: "not now" })).status).toBe(200);
  await agent.becomes("idle");
  const third = await asks("go [choose Which colour? | Red | Blue]");
  expect(third.questions).toHaveLength(1);
  expect(await api.post("/answer", { name: third.id, answer: ["1"] })).toMatchObject({ status: 200 });
  await agent.becomes("idle");

  const decided = (await api.get("/events")).value.events.filter(
    ({ event }: Json) => event === "request.decided",
  );
  expect(decided.map(({ args }: Json) => [args.decision, args.request, args.by, args.from])).toEqual([
    ["approved", first.id, "po", "web 127.0.0.1"],
    ["rejected", second.id, "po", "web 127.0.0.1"],
    ["answered", third.id, "po", "web 127.0.0.1"],
  ]);
  expect(await actsOf(api)).toEqual([
    "/approve req-aaaaaaaa po web 127.0.0.1 refused",
    `/approve ${first.id} po web 127.0.0.1 done`,
    `/reject ${second.id} po web 127.0.0.1 done`,
    `/answer ${third.id} po web 127.0.0.1 done`,
  ]);
});

test("a dialog without a hook is answered by option and dismissed", async () => {
  const home = testHome();
  const agent = await named(home, "lead");
  const api = apiOf(home);
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  expect(await api.post("/option", { name: "lead", number: 1 })).toMatchObject({ status: 200 });
  await agent.becomes("idle");
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  expect(await api.post("/dismiss", { name: "lead" })).toMatchObject({ status: 200 });
  await agent.becomes("idle");
  expect(await api.post("/option", { name: "lead", number: "1" })).toMatchObject({ status: 400 });
});

test("agents are renamed, forked, ended with a question, and restarted; a team is saved and restored", async () => {
  const home = testHome();
  inFolder(home.work);
  writeFileSync(
    join(home.work, "hivemind.yaml"),
    "project: shop\nagents:\n  po:\n    kind: demo\n  qa:\n    kind: demo\n",
  );
  const api = apiOf(home);
  expect(await api.post("/up", { dryRun: true })).toMatchObject({ status: 200, value: { isRunning: false } });
  expect(await api.post("/up", { agents: ["po"] })).toMatchObject({
    status: 200,
    value: { done: [{ agent: "po" }] },
  });
  expect(await api.post("/up", { agents: ["nobody"] })).toMatchObject({ status: 409 });
  expect(await api.post("/up", {})).toMatchObject({ status: 200, value: { done: [{ agent: "qa" }] } });
  expect((await api.post("/agents/rename", { name: "po", new: "boss" })).value.error.message).toMatch(
    /the team file of shop names this agent/,
  );
  hivemind(home, ["send", "po", "--wait", "hello"]);
  expect((await api.post("/agents/fork", { name: "po", as: "scout" })).value.lines[0]).toMatch(
    /^started scout in/,
  );
  expect((await api.post("/agents/rename", { name: "scout", new: "spy" })).status).toBe(200);

  await api.post("/hold", { name: "qa" });
  await api.post("/send", { name: "qa", text: "later" });
  // The question is not asked at this terminal: the answer says what would happen.
  const refused = await api.post("/agents/kill", { name: "qa", forget: true });
  expect(refused).toMatchObject({
    status: 409,
    value: { error: { message: expect.stringMatching(/^this would discard 1 queued message/) } },
  });
  expect(await api.post("/agents/kill", { name: "qa" })).toMatchObject({ status: 200 });
  const away = (await api.get("/status")).value.teams[0].agents.find(({ role }: Json) => role === "qa");
  expect(away.standing).toBe("away");
  expect((await api.post("/agents/restart", { name: "qa" })).value.lines[0]).toMatch(/qa/);

  const saved = await api.post("/save", { team: ["shop"] });
  expect(saved.value.teams).toMatchObject([{ team: "shop", agents: 3 }]);
  const name = saved.value.path.split("/").at(-1);
  for (const snapshot of [saved.value.path, name])
    expect(await api.post("/restore", { snapshot, dryRun: true })).toMatchObject({
      status: 200,
      value: { teams: [{ team: "shop", starts: [] }] },
    });
  expect(await api.post("/restore", { team: "shop" })).toMatchObject({
    status: 200,
    value: { teams: [{ started: [] }] },
  });
  for (const snapshot of ["../x", "/etc/passwd", "hivemind.yaml", "shop", `./${name}`])
    expect(await api.post("/restore", { snapshot })).toMatchObject({
      status: 409,
      value: { error: { message: expect.stringMatching(/^there is no snapshot/) } },
    });
  expect(await actsOf(api)).toContain("/agents/kill qa --forget po web 127.0.0.1 refused");
});

test("a server that only looks acts for nobody, over HTTP neither", async () => {
  const home = testHome();
  const lead = await named(home, "lead");
  const api = apiOf(home, { person: null });
  expect(await api.post("/send", { name: "lead", text: "hello" })).toMatchObject({ status: 409 });
  const { ask, token } = await openedServer(home, { endpoints: api.endpoints }, api.hive);
  const said = {
    token: await token(),
    method: "POST",
    body: JSON.stringify({ name: "lead", text: "hello" }),
  };
  for (const { path } of api.endpoints.filter(({ method }) => method === "POST"))
    expect({ path, status: (await ask(`/api/v1${path}`, said)).status }).toEqual({ path, status: 403 });
  expect(letters(lead.transcript())).toEqual([]);
  expect(await actsOf(api)).toEqual([]);
});
