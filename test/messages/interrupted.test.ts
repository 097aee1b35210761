import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { mainProgram } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { paneVariables, until } from "../home.js";

test.each([
  ["as soon as it is typed", []],
  ["while the answer is waited for", ["--wait"]],
])("Ctrl-C %s: the message arrives whole and once, and the output says so", async (_, words) => {
  const { home, agent, keys } = await startLogged({ DEMO_ANSWER_MS: "3000" });
  const receiptsLog = join(home.config, "hivemind.receipts.log");
  const awaited = words.length === 0 ? "|typing|" : "|accepted|";
  home.tmux("new-session", "-d", "-s", "person", "-x", "100", "-y", "20", ...paneVariables(home.env), "sh");
  const command = [process.execPath, mainProgram, "send", agent.pane, ...words, "run it"].map(
    (word) => `'${word}'`,
  );
  home.tmux("send-keys", "-t", "=person:0.0", "-l", `${command.join(" ")}; echo "ended: $?"`);
  home.tmux("send-keys", "-t", "=person:0.0", "Enter");
  await until(awaited, () => existsSync(receiptsLog) && readFileSync(receiptsLog, "utf8").includes(awaited));
  home.tmux("send-keys", "-t", "=person:0.0", "C-c");

  const screen = () => home.tmux("capture-pane", "-p", "-t", "=person:0.0");
  await until("its end", () => /^ended: \d+/m.test(screen()));
  expect(screen()).toMatch(/^(?:[#$] )?(\^C)?delivered/m);
  expect(await keys()).toEqual(["run it", "<enter>"]);
  expect(texts(agent.transcript(), "user")).toEqual(["run it"]);
  const { receipts, queues } = openStores(home.env);
  expect(receipts.read().rows.map(({ step }) => step)).toContain("accepted");
  expect(queues.ids()).toEqual([]);
});
