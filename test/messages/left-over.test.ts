import { expect, test } from "vitest";
import { utcSeconds } from "../../src/base/text/utc.js";
import { openHive } from "../../src/hive/hive.js";
import { drain } from "../../src/messages/drain.js";
import { formatMark, markTranscript } from "../../src/messages/proof.js";
import { enqueue } from "../../src/messages/send.js";
import { receipt } from "../../src/stores/receipts.js";
import { startLogged } from "../demo-agent/logged.js";
import { agentIn } from "./known.js";

test("[MN5] after a killed sender, a clock that was set back does not extend the wait", async () => {
  const { home, agent } = await startLogged();
  const hive = openHive({ env: home.env });
  const seen = await hive.panes();
  const row = await agentIn(hive, agent.pane);
  const id = await enqueue(hive, row, "inform", "typed in an hour");
  const at = utcSeconds(Date.now() + 3_600_000);
  const typed = { text: "typed in an hour", isCommand: false };
  const detail = formatMark(
    markTranscript(
      { kind: "demo", folder: home.home, session: seen.panes[0]!.live!.sessionId },
      "keys",
      typed,
    ),
  );
  await hive.stores.receipts.append([{ ...receipt(id, null, "typing", detail), at }]);
  const drained = await drain(hive, row.id, { settleMs: 50 });
  expect(drained).toMatchObject({ fates: [{ step: "uncertain" }] });
});
