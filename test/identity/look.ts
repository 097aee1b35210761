// What hivemind says of a pane, asked the way its commands ask.

import type { Discovery } from "../../src/fleet/discover.js";
import { openHive } from "../../src/hive.js";
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

/** Of all panes at once, in the order given. */
export async function sessionsIn(home: TestHome, ...agents: AgentPane[]): Promise<(string | null)[]> {
  const { sessions } = await openHive({ env: home.env }).observe();
  return agents.map(({ pane }) => sessions.get(pane as PaneId)!.uuid);
}

/** For clients without a registry: said when the answer stands on the screen. */
export async function sayBlind(agent: AgentPane, text: string): Promise<void> {
  const heard = () => agent.history().split("Heard: ").length;
  const before = heard();
  agent.type(text);
  await until(`${text} in the box`, () => agent.screen().includes(text));
  agent.press("Enter");
  await until(`an answer to ${text}`, () => heard() > before);
}
