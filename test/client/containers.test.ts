// Two real clients that are each process 1 of a pid namespace, and share their home.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";
import { chosen, lookAt } from "../identity/look.js";
import { type ProgramInside, programInside, whyNoNamespace } from "../namespaces.js";
import { startApi } from "./api.js";
import { clientEnv, skipFirstRun } from "./client.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";
import { newId } from "./sees.js";

async function stage() {
  const home = makeHome();
  const api = await startApi();
  const clients: ProgramInside[] = [];
  onTestFinished(async () => {
    for (const { pid, isAlive } of clients) if (isAlive()) process.kill(pid, "SIGKILL");
    await until("the clients have ended", () => clients.every(({ isAlive }) => !isAlive()));
    await api.close();
    removeHome(home);
  });
  api.when(/\w/, { text: "answer to it" });
  // Before the first client rewrites the same settings.
  for (const role of ["lead", "dev"]) {
    mkdirSync(join(home.root, role));
    skipFirstRun(home.claude, join(home.root, role), true);
  }
  return {
    home,
    async start(version: ClientVersion, role: string, id: SessionId): Promise<ProgramInside> {
      const cwd = join(home.root, role);
      const words = [await installClient(version), "-n", role, "--session-id", id];
      const client = await programInside(home, words, clientEnv(home, api), cwd);
      clients.push(client);
      await until(`${role} is idle`, () => shared(home).status === "idle");
      hivemind(home, ["registry", "set", client.pane, role]);
      return client;
    },
  };
}

/** The file of pid 1; empty while somebody rewrites it. */
function shared(home: TestHome): {
  sessionId?: SessionId;
  status?: string;
  procStart?: string;
  cwd?: string;
} {
  try {
    return JSON.parse(readFileSync(join(home.claude, "sessions", "1.json"), "utf8"));
  } catch {
    return {};
  }
}

async function enter(client: ProgramInside, text: string, shows: RegExp): Promise<void> {
  client.type(text);
  await until(`${text} in the box`, () => client.screen().includes(text));
  client.press("Enter");
  await until(`${shows} on the screen`, () => shows.test(client.screen()));
}

const seen = async (home: TestHome, ...clients: ProgramInside[]) =>
  Promise.all(clients.map(async ({ pane }) => chosen(await lookAt(home, pane)).uuid));

describe.skipIf(whyNoNamespace).each(clientVersions)("the real client %s", (version) => {
  test("is not mixed up with one of another container that has the same pid", async () => {
    const { home, start } = await stage();
    const [one, two] = [newId(), newId()];
    const lead = await start(version, "lead", one);
    await enter(lead, "first of lead", /answer to it/);
    const dev = await start(version, "dev", two);
    await enter(dev, "first of dev", /answer to it/);
    const written = shared(home);

    await enter(lead, "/clear", /❯ \/clear/);
    const cleared = await until("another session in the file", () => {
      const { sessionId = one } = shared(home);
      return sessionId !== one && sessionId !== two ? sessionId : null;
    });
    // The rest of the file is still as it was: mostly that of the client that started last.
    expect(shared(home)).toMatchObject({ procStart: written.procStart, cwd: written.cwd });
    const [nowLead, nowDev] = await seen(home, lead, dev);
    expect([null, cleared]).toContain(nowLead);
    expect(nowDev).toBeNull();
    expect(hivemind(home, ["agent", "restart", "dev"]).code).toBe(1);
    expect([lead.isAlive(), dev.isAlive()]).toEqual([true, true]);

    const { stdout } = hivemind(home, ["save"]);
    const rows = readFileSync(/\S+\.env/.exec(stdout)![0], "utf8").split("\n");
    const rowOf = (role: string) => rows.find((row) => row.includes(`|${role}|`)) ?? "none";
    expect(rowOf("lead")).not.toMatch(new RegExp(`${one}|${two}`));
    expect(rowOf("dev")).not.toMatch(new RegExp(`${one}|${cleared}`));

    expect(hivemind(home, ["agent", "kill", "dev", "--yes"]).code).toBe(0);
    expect([lead.isAlive(), dev.isAlive()]).toEqual([true, false]);
  });
});
