// hivemind's answer for a pane, asked in the way its commands ask.

import type { Discovery } from "../../src/fleet/identity/discover.js";
import { openHive } from "../../src/hive/hive.js";
import type { PaneId, SessionId } from "../../src/names/gates.js";
import type { AgentPane } from "../demo-agent/driver.js";
import { type TestHome, until } from "../home.js";

export const uuid = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000` as SessionId;

export async function lookAt(home: TestHome, pane: string): Promise<Discovery> {
  return (await openHive({ env: home.env }).observe()).sessions.get(pane as PaneId)!;
}

export function chosen({ uuid: id, evidence }: Discovery): {
  uuid: string | null;
  source: string | undefined;
} {
  return { uuid: id, source: evidence.find((each) => each.chosen)?.source };
}

/** For all panes at once, in the given order. */
export async function sessionsIn(home: TestHome, ...agents: AgentPane[]): Promise<(string | null)[]> {
  const { sessions } = await openHive({ env: home.env }).observe();
  return agents.map(({ pane }) => sessions.get(pane as PaneId)!.uuid);
}

/** For clients without a registry: sends a message and waits until the screen shows the answer. */
export async function sayBlind(agent: AgentPane, text: string): Promise<void> {
  const heard = () => agent.history().split("Heard: ").length;
  const before = heard();
  agent.type(text);
  await until(`${text} in the box`, () => agent.screen().includes(text));
  agent.press("Enter");
  await until(`an answer to ${text}`, () => heard() > before);
}
