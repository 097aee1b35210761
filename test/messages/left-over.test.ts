import { expect, test } from "vitest";
import { utcSeconds } from "../../src/base/utc.js";
import { openHive } from "../../src/hive.js";
import { drain } from "../../src/messages/drain.js";
import { formatMark, markTranscript } from "../../src/messages/proof.js";
import { enqueue } from "../../src/messages/send.js";
import type { PaneAddress } from "../../src/names/gates.js";
import { receipt } from "../../src/stores/receipts.js";
import { hivemind } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { until } from "../home.js";

test("[MN5] a message of an earlier tmux server waits until its pane is known again (incident 45)", async () => {
  const { home, agent } = await startLogged();
  const hive = openHive({ env: home.env });
  const seen = await hive.panes();
  const pane = seen.panes.find(({ id }) => id === agent.pane)!;
  // The next server may have the same pid, and a pane of the same number.
  const earlier = { server: { ...seen.server!, startedAtMs: seen.server!.startedAtMs - 60_000 } };
  await enqueue(hive, earlier, pane, "inform", "from before");
  expect(await drain(hive, pane.address as PaneAddress)).toMatchObject({
    fates: [],
    stopped: {
      kind: "absent",
      why: expect.stringMatching(/earlier tmux server: hivemind teams restore --team /),
    },
  });
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  expect(await drain(hive, pane.address as PaneAddress)).toMatchObject({ fates: [{ step: "accepted" }] });
  await until("the message", () => texts(agent.transcript(), "user").includes("from before"));
});

test("[MN6] what a killed sender typed is not waited for until a clock that was set back is right again", async () => {
  const { home, agent } = await startLogged();
  const hive = openHive({ env: home.env });
  const seen = await hive.panes();
  const pane = seen.panes.find(({ id }) => id === agent.pane)!;
  const id = await enqueue(hive, seen, pane, "inform", "typed in an hour");
  const at = utcSeconds(Date.now() + 3_600_000);
  const typed = { text: "typed in an hour", isCommand: false };
  const detail = formatMark(markTranscript(home.home, seen.panes[0]!.live!.sessionId, typed));
  await hive.stores.receipts.append([{ ...receipt(id, "typing", detail), at }]);
  const drained = await drain(hive, pane.address as PaneAddress, { settleMs: 50 });
  expect(drained).toMatchObject({ fates: [{ step: "uncertain" }] });
});
