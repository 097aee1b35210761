// The kinds of panes and agents, and the form of each kind's session ids.

/** The agents that hivemind supports, in the order in which it asks them whether a process is theirs. */
export const agentKinds = ["demo", "claude", "claw", "codex", "opencode", "gemini"] as const;
export type AgentKind = (typeof agentKinds)[number];

/** What runs in a pane. A shell is every pane that runs no agent; a monitor runs the viewer. */
export const kinds = [...agentKinds, "shell", "monitor"] as const;
export type Kind = (typeof kinds)[number];

/** The agents that hivemind can start, the default first. */
export const startedKinds = ["claude", "codex", "opencode", "gemini", "demo"] as const satisfies AgentKind[];
export type StartedKind = (typeof startedKinds)[number];

/** What a command can put into a pane. */
export const paneKinds = [...startedKinds, "shell"] as const;
export type PaneKind = (typeof paneKinds)[number];

export function isStartedKind(value: string): value is StartedKind {
  return (startedKinds as readonly string[]).includes(value);
}

export function isPaneKind(value: string): value is PaneKind {
  return (paneKinds as readonly string[]).includes(value);
}

/** The kinds in words: `claude (default), codex or shell`. */
export function kindsInWords(kinds: readonly Kind[]): string {
  const [first, ...others] = kinds.map((kind, at) => (at === 0 ? `${kind} (default)` : kind));
  return others.length === 0 ? first! : `${[first, ...others.slice(0, -1)].join(", ")} or ${others.at(-1)}`;
}

export function isAgentKind(value: string): value is AgentKind {
  return (agentKinds as readonly string[]).includes(value);
}

/** How a kind writes its session ids. claw's managed ids never leave its workspace (managed-id.ts). */
export type IdForm = "uuid" | "ses" | "managed";

export const idForms: Readonly<Record<AgentKind, IdForm>> = {
  demo: "uuid",
  claude: "uuid",
  claw: "managed",
  codex: "uuid",
  opencode: "ses",
  gemini: "uuid",
};
