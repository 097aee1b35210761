import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { killServer, panesOf, restore } from "../teams/fleets.js";
import { startWatching } from "./watching.js";

const spawn = (home: TestHome, role: string, ...more: string[]) =>
  hivemind(home, ["agent", "spawn", role, "--team", "web", "--kind", "demo", ...more]);

function newTeam(...args: string[][]): TestHome {
  const home = testHome();
  tmuxTeam(home, "web");
  hivemind(home, ["team", "register", "web"]);
  for (const words of args) expect(hivemind(home, words).code).toBe(0);
  return home;
}

async function killAgent(home: TestHome, pane: string): Promise<void> {
  const ask = (field: string) => home.tmux("display-message", "-p", "-t", pane, `#{${field}}`).trim();
  process.kill(Number(ask("pane_pid")), "SIGKILL");
  await until("its end", () => {
    home.tmux("run-shell", "true");
    return ask("pane_dead") === "1";
  });
}

const saves = (home: TestHome) => openStores(home.env).snapshots.list();
const newest = (home: TestHome) => readFileSync(saves(home)[0]!.path, "utf8");

test.each<[string, string[][], string[], string]>([
  ["was given a model", [], ["--model", "opus[1m]"], "opus[1m]"],
  ["told its model by a hook alone", [["hooks", "install"]], [], "claude-opus-4-8"],
])(
  "an agent that %s, said nothing and was killed comes back with it from the autosave",
  {
    timeout: 120_000,
  },
  async (_, setup, given, model) => {
    const home = newTeam(...setup);
    spawn(home, "po", ...given);
    const { uuid } = panesOf(home)[1]!;
    const watching = await startWatching(home, [], { limits: { autosaveGapMs: 2_000 } });
    await watching.tells("saved", /web/);
    await killAgent(home, "=web:0.1");
    const before = saves(home).length;
    spawn(home, "dev");
    await until("another autosave", () => saves(home).length > before, 60_000);
    expect(newest(home)).toContain(`# no word yet ${uuid}\n`);
    expect(newest(home)).toMatch(new RegExp(`po\\|${uuid}\\|.*\\|${model.replace(/[[\]]/g, "\\$&")}\\|demo`));
    await watching.ends("SIGTERM");
    await killServer(home);
    expect(restore(home, "--team", "web")).toMatchObject({ code: 0, stderr: "" });
    expect(panesOf(home)[1]).toMatchObject({ role: "po", uuid });
  },
);

test("an agent that was killed before its first save keeps its team from being saved, with a warning", {
  timeout: 120_000,
}, async () => {
  const home = newTeam();
  spawn(home, "po");
  await killAgent(home, "=web:0.1");
  const watching = await startWatching(home, [], { limits: { autosaveGapMs: 2_000 } });
  await watching.tells("unsaved", /^web: po ended without a command.*hivemind save/);
  expect(saves(home)).toEqual([]);
  expect(hivemind(home, ["teams", "save"]).code).toBe(0);
  spawn(home, "dev");
  await until("an autosave", () => saves(home).length > 1, 60_000);
});
