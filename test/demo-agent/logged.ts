// Agents that log the keys they receive.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestHome, testHome, until } from "../home.js";
import { type AgentPane, startAgent } from "./driver.js";

export const loggedSession = "15533422-8bdb-5079-8420-efcdb81dd2e5";

export interface LoggedAgent {
  home: TestHome;
  agent: AgentPane;
  /** Every key and text that the agent has received so far. */
  keys(): Promise<string[]>;
}

/** An idle demo agent called `lead`, in its own home. */
export async function startLogged(env: Record<string, string> = {}, columns = 100): Promise<LoggedAgent> {
  const home = testHome();
  const keylog = join(home.root, "keys");
  const agent = startAgent(home, ["--session-id", loggedSession, "-n", "lead"], {
    columns,
    env: { DEMO_KEYLOG: keylog, ...env },
  });
  await agent.becomes("idle");
  await agent.sees("❯\u00a0");
  const keys = async () => {
    // Everything sent before this mark has arrived with it; a lone Escape is logged only after a moment.
    agent.type(mark);
    const all = await until("the mark", () => {
      const read = keysIn(keylog);
      return read.endsWith(mark) ? read : null;
    });
    return all
      .replaceAll(mark, "")
      .split(/(?=<)|(?<=>)/)
      .filter(Boolean);
  };
  return { home, agent, keys };
}

export interface DeafAgent {
  home: TestHome;
  pane: string;
  received(): string;
}

const emptyBox = "────\\r\\n❯\\302\\240\\r\\n────\\r\\n  ? for shortcuts";

/** Idle in its registry, with a box that is always empty, or with the given output, in printf's spelling. */
export async function startDeaf(status = "idle", shown = emptyBox): Promise<DeafAgent> {
  const home = testHome();
  const keylog = join(home.root, "keys");
  const script = `#!/bin/sh
stty raw -echo
mkdir -p "$CLAUDE_CONFIG_DIR/sessions"
ticks=$(cut -d' ' -f22 /proc/$$/stat)
echo "{\\"pid\\":$$,\\"procStart\\":\\"$ticks\\",\\"sessionId\\":\\"${loggedSession}\\",\\"status\\":\\"${status}\\"}" > "$CLAUDE_CONFIG_DIR/sessions/$$.json"
printf '${shown}'
cat > ${keylog}
`;
  const program = join(home.work, "claude");
  writeFileSync(program, script, { mode: 0o755 });
  home.tmux("new-session", "-d", "-s", "deaf", "-x", "80", "-y", "24", "env", program);
  await until("its box", () => home.tmux("capture-pane", "-p", "-t", "=deaf:0.0").trim() !== "");
  const pane = home.tmux("display-message", "-p", "-t", "=deaf:0.0", "#{pane_id}").trim();
  return { home, pane, received: () => readOrEmpty(keylog) };
}

const mark = "§";

function keysIn(path: string): string {
  const lines = readOrEmpty(path).split("\n").slice(0, -1);
  const events = lines.map((line) => JSON.parse(line));
  return events.map(({ kind, text }) => (kind === "text" || kind === "paste" ? text : `<${kind}>`)).join("");
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
