// The list of supported agents.

import type { ProcessInfo } from "../processes/process.js";
import type { Agent } from "./agent.js";
import { claude } from "./claude/claude.js";
import { demo } from "./demo/demo.js";

const agents: readonly Agent[] = [demo, claude];

export function agentOf(process: ProcessInfo): Agent | null {
  return agents.find((agent) => agent.recognises(process)) ?? null;
}
