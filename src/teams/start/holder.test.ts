import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fleetOf } from "../../../test/fleet/made.js";
import { type TestHome, testHome } from "../../../test/home.js";
import { idOf } from "../../../test/transcripts/files.js";
import { readProcStat } from "../../base/system/proc-stat.js";
import { openStores } from "../../stores/stores.js";
import { liveHolder } from "./holder.js";

test.each<[string, (home: TestHome) => string]>([
  ["of the environment", ({ claude }) => claude],
  ["that is the standard one, whatever CLAUDE_CONFIG_DIR is", ({ home }) => join(home, ".claude")],
  ["that was seen in use", ({ root }) => join(root, "account")],
])("a process outside tmux holds its session in the folder %s", async (_, folderIn) => {
  const home = testHome();
  const stores = openStores(home.env);
  await stores.accounts.update(() => [{ kind: "claude", folder: join(home.root, "account") }]);
  const { pid } = process;
  const file = { pid, procStart: readProcStat(pid)!.startTicks, sessionId: idOf(1) };
  const folder = join(folderIn(home), "sessions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${pid}.json`), JSON.stringify(file));
  expect(liveHolder(idOf(1), fleetOf([]), { env: home.env, stores })).toMatchObject({ pid, pane: null });
  expect(liveHolder(idOf(1), fleetOf([]), { env: home.env, stores }, pid)).toBeNull();
});
