// Two agents that are each process 1 of a pid namespace, and share their home: they write one registry file.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shellWord } from "../../src/base/text/shell-word.js";
import { hivemind } from "../command.js";
import { type Json, program } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { innerShell, type ProgramInside, programInside, whyNoNamespace } from "../namespaces.js";
import { ordersIn } from "../safety/orders.js";
import { chosen, lookAt, uuid } from "./look.js";

/** The file of pid 1; empty while somebody rewrites it. */
function shared(home: TestHome): Json {
  try {
    return JSON.parse(readFileSync(join(home.claude, "sessions", "1.json"), "utf8"));
  } catch {
    return {};
  }
}

async function agentInside(home: TestHome, role: string, ...args: string[]): Promise<Inside> {
  const agent = await programInside(home, [process.execPath, program, "-n", role, ...args], home.env);
  hivemind(home, ["registry", "set", agent.pane, role]);
  return {
    ...agent,
    async say(text) {
      const before = shared(home).updatedAt;
      agent.type(text);
      await until(`${text} in the box`, () => agent.screen().includes(text));
      agent.press("Enter");
      await until(`${text} was taken`, () => {
        const { updatedAt = before, status } = shared(home);
        return updatedAt !== before && status === "idle";
      });
    },
  };
}

interface Inside extends ProgramInside {
  say(text: string): Promise<void>;
}

async function twoAgents(home: TestHome): Promise<[Inside, Inside]> {
  const lead = await agentInside(home, "lead", "--session-id", uuid(1));
  await lead.say("first of lead");
  const dev = await agentInside(home, "dev", "--session-id", uuid(2));
  await dev.say("first of dev");
  return [lead, dev];
}

const seen = async (home: TestHome, ...agents: Inside[]) =>
  Promise.all(agents.map(async ({ pane }) => chosen(await lookAt(home, pane)).uuid));

/** The sessions in the newest snapshot, by role. */
const saved = (home: TestHome): Json => {
  const { code, stdout } = hivemind(home, ["save"]);
  expect(code).toBe(0);
  const rows = readFileSync(/\S+\.env/.exec(stdout)![0], "utf8").split("\n");
  return Object.fromEntries(
    ["lead", "dev"].map((role) => {
      const row = rows.find((each) => each.includes(`|${role}|`)) ?? "";
      return [role, /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(row)?.[0] ?? null];
    }),
  );
};

describe.skipIf(whyNoNamespace)("two agents of one home that are each process 1", () => {
  test("write one file, and hivemind mixes neither up", async () => {
    const home = testHome();
    const [lead, dev] = await twoAgents(home);
    // The last one to start wrote the file: nothing shows that the first one is still in its first conversation.
    const written = shared(home);
    expect(written).toMatchObject({ pid: 1, sessionId: uuid(2) });
    expect(await seen(home, lead, dev)).toEqual([null, uuid(2)]);
    expect(saved(home)).toEqual({ lead: null, dev: uuid(2) });

    await lead.say("/clear");
    const { sessionId: cleared, pidDomain, procStart } = shared(home);
    expect([uuid(1), uuid(2)]).not.toContain(cleared);
    expect({ pidDomain, procStart }).toEqual({ pidDomain: written.pidDomain, procStart: written.procStart });
    expect(await seen(home, lead, dev)).toEqual([null, null]);
    expect(saved(home)).toEqual({ lead: null, dev: null });
    for (const role of ["lead", "dev"]) {
      const { code, stderr } = hivemind(home, ["agent", "restart", role]);
      expect(code, stderr).toBe(1);
    }
    expect([lead.isAlive(), dev.isAlive()]).toEqual([true, true]);
    expect(hivemind(home, ["sessions", "discover", dev.pane, "--explain"]).stderr).toMatch(
      /client of another container.*hivemind hooks install/,
    );

    // A record says which process began the new conversation.
    await lead.say("second of lead");
    expect(await seen(home, lead, dev)).toEqual([cleared, null]);
    expect(saved(home)).toEqual({ lead: cleared, dev: null });
    expect(hivemind(home, ["agent", "restart", "dev"]).code).toBe(1);
    expect(hivemind(home, ["agent", "restart", "lead"]).code).toBe(0);
    expect([lead.isAlive(), dev.isAlive()]).toEqual([false, true]);
    expect(chosen(await lookAt(home, lead.pane))).toEqual({ uuid: cleared, source: "registry" });
    expect(hivemind(home, ["agent", "kill", "dev", "--yes"]).code).toBe(0);
    expect(dev.isAlive()).toBe(false);
    expect(chosen(await lookAt(home, lead.pane)).uuid).toBe(cleared);
  });

  test("are both known by their hooks, also without a word since /clear", async () => {
    const home = testHome();
    expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
    const [lead, dev] = await twoAgents(home);
    expect(await seen(home, lead, dev)).toEqual([uuid(1), uuid(2)]);
    await lead.say("/clear");
    const cleared = shared(home).sessionId;
    await until("the hook has reported", async () => (await seen(home, lead))[0] === cleared);
    expect(await seen(home, lead, dev)).toEqual([cleared, uuid(2)]);
    expect(saved(home)).toEqual({ lead: cleared, dev: uuid(2) });
    expect(hivemind(home, ["agent", "restart", "dev"]).code).toBe(0);
    expect([lead.isAlive(), dev.isAlive()]).toEqual([true, false]);
    expect(await seen(home, lead, dev)).toEqual([cleared, uuid(2)]);
  });

  test("one that ends takes the file along, and the other one is in doubt", async () => {
    const home = testHome();
    const [lead, dev] = await twoAgents(home);
    lead.type("/exit");
    lead.press("Enter");
    await until("the file is gone", () => !existsSync(join(home.claude, "sessions", "1.json")));
    await until("lead has ended", () => !lead.isAlive());
    expect(await seen(home, dev)).toEqual([null]);
    expect(hivemind(home, ["agent", "restart", "dev"]).code).toBe(1);
    expect(dev.isAlive()).toBe(true);
  });
});

test.skipIf(whyNoNamespace)("inside a pid namespace a registry file needs a second witness", async () => {
  const home = testHome();
  home.env.HIVEMIND_TMUX_SOCKET = join(home.root, "inner.sock");
  const shell = innerShell(home, { isLeader: true });
  const inside = ordersIn(home, "inside", []);
  await until("the shell is up", () => /inside\$/.test(shell.screen()));
  shell.type(`${inside.typed}; clear`);
  const ask = (...args: string[]) => inside.report('"$decide"', args, shell.type);
  const tmux = (...words: string[]) =>
    ["tmux", "-S", home.env.HIVEMIND_TMUX_SOCKET!, ...words].map(shellWord).join(" ");
  const agent = (...args: string[]) => [process.execPath, program, ...args].map(shellWord).join(" ");
  shell.type(tmux("-f", "/dev/null", "new-session", "-d", "-s", "in", agent("--session-id", uuid(1))));
  shell.type(tmux("split-window", "-d", "-t", "=in:", agent()));
  const files = () => readdirSync(join(home.claude, "sessions")).filter((name) => name.endsWith(".json"));
  await until("both have a file", () => existsSync(join(home.claude, "sessions")) && files().length === 2);

  const current = (pane: string) => ask("sessions", "current", pane);
  expect(await current("in:0.0")).toBe(`${uuid(1)}\nexit 0\n`);
  expect(await current("in:0.1")).toMatch(/is not known\n.*\nexit 1\n$/);
  expect(await ask("sessions", "discover", "in:0.1", "--explain")).toMatch(
    /client of another container.*hivemind hooks install/,
  );
  // A change that no record proves.
  shell.type(tmux("send-keys", "-t", "in:0.0", "/clear", "Enter"));
  const sessions = () => files().map((name) => readFileSync(join(home.claude, "sessions", name), "utf8"));
  await until("it was cleared", () => !sessions().join("").includes(uuid(1)));
  expect(await current("in:0.0")).toMatch(/is not known\n.*\nexit 1\n$/);
});
