import { expect, test } from "vitest";
import { optionChanges, writeOptions } from "../../src/fleet/roster/pane-options.js";
import type { AgentId } from "../../src/names/agent-id.js";
import { listServer } from "../../src/tmux/listing.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { agent } from "./rosters.js";

const shown = (home: TestHome) =>
  home
    .tmux("list-panes", "-a", "-F", "#{pane_id} #{@hivemind_agent} #{@hivemind} #{@hivemind_team}")
    .trim()
    .split("\n");

/** An agent in every pane of the listing. */
async function changesFor(home: TestHome) {
  const { panes } = await listServer(openTmux({ env: home.env }));
  const sitters = new Map(
    panes.map((pane, at) => [
      pane.id,
      agent(`po ${pane.address} ${pane.id}`, { id: `aaaaaaa${String(at).padStart(3, "2")}` as AgentId }),
    ]),
  );
  return { changes: optionChanges(panes, [...sitters.values()], sitters), panes };
}

test("written options read back, and are not written again", async () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  const { changes } = await changesFor(home);
  await writeOptions(openTmux({ env: home.env }), changes);
  expect(shown(home)).toEqual([
    "%0 %0|aaaaaaa220 %0|web:0.0|po $0|web",
    "%1 %1|aaaaaaa221 %1|web:0.1|po $0|web",
  ]);
  expect((await changesFor(home)).changes).toEqual([]);
});

test("a closed pane does not affect the others", async () => {
  const home = testHome();
  tmuxTeam(home, "web", 3);
  const { changes } = await changesFor(home);
  home.tmux("kill-pane", "-t", "%0");
  await writeOptions(openTmux({ env: home.env }), changes);
  expect(shown(home)).toEqual([
    "%2 %2|aaaaaaa221 %2|web:0.1|po $0|web",
    "%1 %1|aaaaaaa222 %1|web:0.2|po $0|web",
  ]);
});

test("without a tmux server there is nothing to write", async () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  const { changes } = await changesFor(home);
  home.tmux("kill-server");
  await until("the end of the server", () => {
    try {
      home.tmux("list-sessions");
      return false;
    } catch (error) {
      return String(error).includes("no server running");
    }
  });
  await expect(writeOptions(openTmux({ env: home.env }), changes)).resolves.toBeUndefined();
});
