import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { paneVariables, until } from "../home.js";
import { screenHome } from "./screens.js";
import { withTeams } from "./teams.js";

interface Status {
  teams: { team: string; agents: { pane: string; kind: string; state: string | null; activity: string }[] }[];
}

test("a pane that shows the viewer is a monitor, in the status and in a snapshot", async () => {
  const home = screenHome();
  withTeams(home, "web");
  expect(hivemind(home, ["monitor", "setup"])).toMatchObject({ code: 0 });
  tmuxTeam(home, "desk");
  const looks = ["env", "-u", "TMUX", "screen", "-x", "tronMon"];
  home.tmux("split-window", "-d", "-t", "=desk:", ...paneVariables(home.env), "--", ...looks);
  const kinds = () =>
    json<Status>(home, ["status"])
      .teams.find(({ team }) => team === "desk")
      ?.agents.map(({ pane, kind, state }) => [pane, kind, state]);
  await until("the monitor", () => kinds()?.[1]?.[1] === "monitor");
  expect(kinds()).toEqual([
    ["desk:0.0", "shell", null],
    ["desk:0.1", "monitor", null],
  ]);
  expect(hivemind(home, ["send", "desk:0.1", "hello"])).toMatchObject({ code: 1 });
  const { stdout } = hivemind(home, ["teams", "save", "desk"]);
  const path = /\S+hivemind\.snapshot\.\S+\.env/.exec(stdout)![0];
  expect(readFileSync(path, "utf8")).toMatch(/^desk\|0\.1\|.*\|monitor$/m);
});
