// A stand-in for the client with only a real picture: it shows a captured screen, and writes the test's values into
// its own registry file.

import { randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PaneId } from "../../src/names/gates.js";
import { paneVariables, type TestHome, until } from "../home.js";

const screens = fileURLToPath(new URL("../fixtures/screens/2.1.325/", import.meta.url));

/**
 * In a pane of its own tmux session, with the size of the captured screen. Without a status it has no registry file.
 */
export async function showScreen(
  home: TestHome,
  team: string,
  screen: string,
  status: "idle" | "busy" | "waiting" | null,
): Promise<PaneId> {
  const program = join(home.work, "claude");
  const shown = join(home.root, `${team}.shown`);
  writeFileSync(
    program,
    `mkdir -p "$CLAUDE_CONFIG_DIR/sessions"
[ -z "$2" ] || printf '{"pid":%s,"sessionId":"%s","startedAt":%s000,"status":"%s"}' $$ \\
  "$4" "$(date +%s)" "$2" >"$CLAUDE_CONFIG_DIR/sessions/$$.json"
printf %s "$(cat "$1")"
touch "$3"
while read -r _; do :; done
`,
  );
  const size = ["-x", "80", "-y", "24"];
  const start = ["sh", program, join(screens, `${screen}.txt`), status ?? "", shown, randomUUID()];
  const pane = home.tmux(
    ...[
      "new-session",
      "-d",
      "-P",
      "-F",
      "#{pane_id}",
      "-s",
      team,
      ...size,
      ...paneVariables(home.env),
      ...start,
    ],
  );
  await until(`the screen of ${team}`, () => existsSync(shown));
  return pane.trim() as PaneId;
}
