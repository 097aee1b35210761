import { expect, test } from "vitest";
import { utcSeconds } from "../../src/base/text/utc.js";
import { openHive } from "../../src/hive/hive.js";
import { drain } from "../../src/messages/drain.js";
import { shapeFor } from "../../src/messages/fit.js";
import { formatMark, markTranscript } from "../../src/messages/proof.js";
import { enqueue } from "../../src/messages/send.js";
import { receipt } from "../../src/stores/receipts.js";
import { texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { until } from "../home.js";
import { agentIn } from "./known.js";

/** The state that a sender leaves if it is killed between its paste and its Enter. */
async function leftBehind(text: string, columns = 100) {
  const logged = await startLogged({}, columns);
  const { home, agent } = logged;
  const hive = openHive({ env: home.env });
  const seen = await hive.panes();
  const pane = seen.panes.find(({ id }) => id === agent.pane)!;
  const shaped = shapeFor(pane, text);
  if ("refused" in shaped) throw new Error(shaped.refused);
  const row = await agentIn(hive, agent.pane);
  const id = await enqueue(hive, row, "inform", text);
  const mark = markTranscript(
    { kind: pane.kind, folder: pane.folder!, session: pane.live!.sessionId },
    "keys",
    shaped,
  );
  await hive.stores.receipts.append([receipt(id, pane.address, "typing", formatMark(mark))]);
  agent.paste(shaped.text);
  await until("a draft", () => !/❯\u00a0\s*$/m.test(agent.screen()));
  const drained = () => drain(hive, row.id, { settleMs: 2_000 });
  return { ...logged, hive, row, shaped, drained };
}

const lines = Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\n");

test.each([
  ["plain words", "run it", 100],
  ["reshaped words", "exit", 100],
  ["writing directions and joined emoji", "a \u202eb\u202c 👨‍👩‍👧‍👦 e\u0301 soft\u00adhyphen", 100],
  ["lines behind a placeholder", lines, 100],
  ["more than fits into a small box", "word ".repeat(100).trim(), 40],
])("[LS1] %s that a killed sender left are entered, and taken once", async (_, text, columns) => {
  const { agent, shaped, keys, drained } = await leftBehind(text, columns);
  expect(await drained()).toMatchObject({ fates: [{ step: "accepted" }], stopped: null });
  await until("its record", () => texts(agent.transcript(), "user").length > 0);
  expect(texts(agent.transcript(), "user")).toEqual([shaped.text.trim()]);
  expect((await keys()).filter((key) => key === "<enter>")).toHaveLength(1);
});

test("[LS2] a message with a person's words after it is left alone and reported", async () => {
  const { agent, keys, drained } = await leftBehind("run it");
  agent.type(" and mine");
  await agent.sees("run it and mine");
  expect(await drained()).toMatchObject({
    fates: [{ step: "uncertain", detail: expect.stringMatching(/mixed with other words.*: run it$/) }],
  });
  expect(await keys()).toEqual(["run it and mine"]);
});

test("[LS1] while the agent is held the message keeps its open receipt, and is entered later", async () => {
  const { agent, hive, row, keys, drained } = await leftBehind("run it");
  await hive.stores.holds.update((rows) => [
    ...rows,
    { agent: row.id, word: "HELD", by: "pat", since: utcSeconds(Date.now()) },
  ]);
  expect(await drained()).toMatchObject({ fates: [], stopped: { kind: "held", why: "pat put it on hold" } });
  await hive.stores.holds.update(() => []);
  expect(await drained()).toMatchObject({ fates: [{ step: "accepted" }] });
  await until("its record", () => texts(agent.transcript(), "user").length > 0);
  expect(await keys()).toEqual(["run it", "<enter>"]);
});
