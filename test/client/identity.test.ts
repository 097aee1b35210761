// Which session is where, what it is doing and how full it is: hivemind's own reader, judged by the real client.

import { describe, expect, it } from "vitest";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import { clientVersions } from "./install.js";
import { answered, lookAt, movedOn, newId, sees } from "./sees.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("the real client %s", (version) => {
  it("is known from its start on, with its forks, /rename, /branch, /clear and its end (incident 24)", async () => {
    const { api, home, start } = await testWorld();
    const [parent, child] = [newId(), newId()];
    const usage = { input_tokens: 1_000, cache_creation_input_tokens: 200, cache_read_input_tokens: 30_000 };
    api.when(/first/, { text: "answer to first", usage });
    api.when(/again/, { text: "answer to again", usage: { input_tokens: 77 } });

    const client = await start(version, { args: ["--session-id", parent, "-n", "lead"] });
    const here = { kind: "claude", source: "registry" } as const;
    await sees(home, client, { ...here, uuid: parent, state: "stable", activity: "idle", used: null });
    await answered(client, "first");
    await sees(home, client, { ...here, uuid: parent, state: "live", title: "lead", used: 31_200 });

    // A fork that has not said a word has no transcript, and its parent's title and folder.
    const fork = await start(version, {
      args: ["--resume", parent, "--fork-session", "--session-id", child],
    });
    await sees(home, fork, { ...here, uuid: child, activity: "idle" });
    await sees(home, client, { ...here, uuid: parent });

    await client.submit("/rename boss");
    await sees(home, client, { ...here, uuid: parent, title: "boss" });
    await client.submit("/branch");
    const branch = await movedOn(client, parent);
    await sees(home, client, { ...here, uuid: branch, used: 31_200 });
    await sees(home, fork, { ...here, uuid: child });
    await client.settled();
    await client.submit("/clear");
    const cleared = await movedOn(client, branch);
    await sees(home, client, { ...here, uuid: cleared, used: null });
    await answered(client, "again");
    await sees(home, client, { ...here, uuid: cleared, used: 77 });

    process.kill(fork.pid, "SIGKILL");
    await sees(home, fork, { kind: "shell", activity: "crashed", source: "registry", uuid: child });
    expect(fork.registryFile()).toMatchObject({ sessionId: child });
    await client.settled();
    await client.submit("/exit");
    await sees(home, client, { kind: "shell", activity: "shell" });
    expect((await lookAt(home, client)).state).not.toMatch(/live|stable/);
  });

  it("is known when it resumes, works, asks, and compacts", async () => {
    const { api, home, start } = await testWorld();
    const id = newId();
    api.when(/first/, { text: "answer to first", usage: { input_tokens: 150_000 } });
    const before = await start(version, { args: ["--session-id", id, "-n", "lead"] });
    await answered(before, "first");
    await before.end();

    const client = await start(version, {
      args: ["--resume", id, "--permission-mode", "default"],
      team: "second",
    });
    const here = { kind: "claude", source: "registry", uuid: id } as const;
    await sees(home, client, { ...here, activity: "idle", title: "lead", used: 150_000 });

    api.next({ text: "done at last", held: true });
    await client.submit("work");
    await sees(home, client, { ...here, activity: "busy" });
    await api.release();
    await client.waitForScreen(/done at last/);
    await sees(home, client, { ...here, activity: "idle", used: 10 });

    api.next(
      { tool: "Bash", input: { command: "touch made", description: "Make it" } },
      { text: "it is made" },
    );
    await client.submit("make it");
    await sees(home, client, { ...here, activity: "waiting", waitingFor: "permission prompt" });
    await client.settled();
    client.keys("1");
    await client.waitForScreen(/it is made/);
    await sees(home, client, { ...here, activity: "idle" });

    await client.settled();
    await client.submit("/compact");
    await until("the summary", () =>
      client.transcript(id).some((record) => record.isCompactSummary === true),
    );
    await sees(home, client, { ...here, activity: "idle", state: "live" });
  });

  it("is asked by /status, and its box is empty afterwards, whatever the width (incident 52)", async () => {
    const { home, start } = await testWorld();
    for (const width of [200, 27]) {
      const id = newId();
      const client = await start(version, {
        args: ["--session-id", id],
        team: `w${width}`,
        width,
        height: 40,
      });
      await client.settled();
      const { code, stdout, stderr } = hivemind(home, ["session", "probe", client.paneId, "--json"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ uuid: id, closed: true });
      await sees(home, client, { uuid: id, activity: "idle" });
      await client.end();
    }
  });
});
