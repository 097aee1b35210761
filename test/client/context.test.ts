// How full a conversation is, through sub-agents and compactions.

import { describe, expect, it } from "vitest";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import { large, ordinary, says, sees, sonnet, used } from "./context.js";
import { clientVersions } from "./install.js";
import { newId } from "./sees.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("the context of the real client %s", (version) => {
  it("is the main conversation's, whatever a sub-agent used", async () => {
    const { home, api, start } = await testWorld();
    const client = await start(version, {
      args: ["--model", "opus[1m]", "--permission-mode", "default", "--allowedTools", "Agent,Task"],
    });
    api.when(/look around/, { text: "nothing there", usage: used(77_000) });
    api.when(/go on/, { text: "went on", usage: used(4_000) });
    const input = { description: "look", prompt: "look around", subagent_type: "general-purpose" };
    api.next({ tool: "Agent", input, usage: used(3_000) });
    await client.submit("send somebody");
    await until("the sub-agent has answered", () =>
      api.requests.some(({ lastText }) => lastText.includes("look around")),
    );
    await client.waitForStatus("idle");
    await client.settled();
    await says(client, "go on", "went on");
    await sees(home, client, { used: 4_000, window: large });
  });

  it("is unknown from a compaction to the next answer, in a fork too", async () => {
    const { home, api, start } = await testWorld();
    const [id, child] = [newId(), newId()];
    const client = await start(version, { args: ["--session-id", id, "--model", "opus[1m]"] });
    api.next({ text: "zeroth answer", usage: used(80_000) });
    await says(client, "zeroth", "zeroth answer");
    api.next({ text: "first answer", usage: used(90_000) });
    await says(client, "first", "first answer");
    await sees(home, client, { used: 90_000, percent: 9, isCompacted: false });
    await client.submit("/compact");
    await until("the summary", () =>
      client.transcript(id).some((record) => record.isCompactSummary === true),
    );
    const unknown = { used: null, window: null, percent: null, isCompacted: true };
    await sees(home, client, { uuid: id, ...unknown });
    await client.settled();

    const { code, stdout, stderr } = hivemind(home, ["context", "--json"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).contexts).toMatchObject([
      { uuid: id, used: null, percent: null, compacted: true },
    ]);
    expect(hivemind(home, ["context", client.paneId]).stderr).toContain("was compacted");

    // The fork copies the answers that the compaction kept, with no count in them.
    const fork = await start(version, {
      args: ["--resume", id, "--fork-session", "--session-id", child],
      team: "fork",
    });
    api.when(/held back/, { text: "said at last", held: true, usage: used(7_000) });
    await fork.submit("held back");
    await until("the fork's words on disk", () =>
      JSON.stringify(fork.transcript(child)).includes("held back"),
    );
    await sees(home, fork, { uuid: child, used: null });
    await api.release();
    await sees(home, fork, { used: 7_000, isCompacted: false });

    api.next({ text: "second answer", usage: used(2_500) });
    await says(client, "second", "second answer");
    await sees(home, client, { used: 2_500, isCompacted: false });
    await client.submit("/clear");
    await sees(home, client, { used: null, isCompacted: false });
  });

  it("is unknown while an answer waits behind a compaction that the client made itself", async () => {
    const { home, api, start } = await testWorld();
    const client = await start(version, { args: ["--model", sonnet] });
    api.next({ text: "first answer", usage: used(500) });
    await says(client, "first", "first answer");
    api.next({ text: "second answer", usage: used(195_000) });
    await says(client, "second", "second answer");
    await sees(home, client, { used: 195_000, window: ordinary });
    api.when(/third/, { text: "third answer", held: true, usage: used(8_000) });
    await client.submit("third");
    await sees(home, client, { used: null, isCompacted: true });
    await api.release();
    await sees(home, client, { used: 8_000, window: ordinary });
  });
});
