// The API of `serve` and names of other hosts: each answer has the form that its description says.

import { afterAll, beforeAll, expect, test } from "vitest";
import { buckets } from "../../src/link/subjects.js";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import { apiOf, inFolder } from "../web-api/asked.js";
import { allows, asking, farHost, farWatch } from "./far-hosts.js";
import { type NatsServers, startServers, testBus } from "./servers.js";

let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

test("the API reads from another host, sends there, and decides only where that host allows it", async () => {
  const [alpha, beta] = [farHost(servers, "alpha"), farHost(servers, "beta")];
  const { agent, id } = await asking(beta);
  const team = beta.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}").trim();
  await farWatch(beta);
  const rows = await (await testBus(servers)).bucket(buckets.agents);
  await until("its agent is known", async () => (await rows.all()).length > 1);
  inFolder(alpha.work);
  const { get, post } = apiOf(alpha);

  const closed = await get("/fleet/beta/inbox");
  expect(closed).toMatchObject({ status: 200, value: { host: "beta", isTextHidden: true } });
  expect(closed.value.items).toMatchObject([{ kind: "request", request: { id: `${id}@beta`, lines: [] } }]);
  expect(JSON.stringify(closed.value)).not.toContain("touch demo");
  const refused = await post("/approve", { name: `${id}@beta` });
  expect(refused).toMatchObject({
    status: 409,
    value: { error: { hint: expect.stringContaining("fleet allow approve") } },
  });
  expect((await get("/fleet/nowhere/inbox")).value.error.message).toContain('"nowhere"');
  expect((await get("/fleet/a%20b/inbox")).status).toBe(409);

  for (const path of ["/context/lead@beta", "/history/lead@beta", "/lineage?ref=lead@beta"])
    expect(await get(path)).toMatchObject({
      status: 200,
      value: { hosts: [{ host: "beta", reached: true }] },
    });
  expect((await get(`/status?team=${team}@beta`)).value.agents).toMatchObject([
    { role: "lead", host: "beta" },
  ]);
  expect((await get(`/inbox?team=${team}@beta`)).value.items).toHaveLength(1);
  expect((await get("/sessions/lead@beta")).value.answers[0].error.hint).toContain("fleet allow text");
  await allows(beta, "approve", "alpha");
  await allows(beta, "text", "alpha");
  for (const path of [
    "/sessions/lead@beta",
    "/sessions/lead@beta/messages",
    "/queue?name=lead@beta",
    "/messages/lead@beta",
  ])
    expect(await get(path)).toMatchObject({
      status: 200,
      value: { answers: [{ host: "beta", error: null }] },
    });

  const open = await get("/fleet/beta/inbox");
  expect(open.value).toMatchObject({ isTextHidden: false, items: [{ request: { lines: ["touch demo"] } }] });
  const approved = await post("/approve", { name: `${id}@beta` });
  expect(approved).toMatchObject({
    status: 200,
    value: { lines: expect.arrayContaining([expect.stringContaining("approved")]) },
  });
  expect(hivemind(beta, ["events"]).stdout).toMatch(new RegExp(`far.acted approve ${id} po@alpha .* done`));

  expect([200, 202]).toContain((await post("/send", { name: "lead@beta", text: "well done" })).status);
  const told = await post("/broadcast", { team: `${team}@beta`, text: "all of you" });
  expect([200, 202]).toContain(told.status);
  expect((await post("/restore", { snapshot: `${team}@beta` })).value.error.hint).toContain(
    "fleet allow start",
  );
  expect((await post("/restore", { snapshot: `../x@beta` })).value.error.message).toContain(
    "there is no snapshot",
  );
  expect((await post("/agents/rename", { name: "lead@beta", new: "boss" })).value.error.message).toContain(
    "names the host beta",
  );
});
