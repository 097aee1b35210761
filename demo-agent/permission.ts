// What decides about a tool: the user in the dialog, or a hook for permission requests. The first answer counts.

import type { HookEvent } from "./hooks.js";
import type { Reports } from "./reports.js";
import type { Choose } from "./terminal/dialog.js";
import type { Tool } from "./tool.js";

export interface Verdict {
  isAllowed: boolean;
  /** Set if a hook decided. */
  hook: { decision: "allow" | "deny"; message: string } | null;
  /** By question. */
  answers: Readonly<Record<string, unknown>>;
}

/** `show` opens the dialog, whose answer goes to the function that it gets. */
export function firstVerdict(
  tool: Tool,
  reports: Reports,
  signal: AbortSignal,
  show: (choose: Choose) => void,
): Promise<Verdict> {
  const refused = new AbortController();
  return new Promise((resolve) => {
    const choose: Choose = (choice, answer) => {
      // As the real client: after a yes it leaves the hook running.
      if (choice === "no") refused.abort();
      const answers = tool.question && answer !== undefined ? { [tool.question.text]: answer } : {};
      resolve({ isAllowed: choice !== "no", hook: null, answers });
    };
    signal.addEventListener("abort", () => choose("no"), { once: true });
    show(choose);
    for (const answer of reports.ask(requestEvent(tool), refused.signal))
      void answer.then((printed) => {
        const decided = decisionIn(printed);
        if (decided !== null) resolve(decided);
      });
    const message = `Claude needs your permission to use ${tool.name}`;
    void reports.hook({ hook_event_name: "Notification", message, notification_type: "permission_prompt" });
  });
}

function requestEvent({ name, input, question }: Tool): HookEvent {
  const rules = [{ toolName: name, ruleContent: input.command }];
  const suggestion = { type: "addRules", rules, behavior: "allow", destination: "localSettings" };
  return {
    hook_event_name: "PermissionRequest",
    tool_name: name,
    tool_input: input,
    permission_suggestions: question === null ? [suggestion] : [],
  };
}

/** Null if the hook printed no decision. */
function decisionIn(printed: string): Verdict | null {
  const { behavior, message = "", updatedInput } = decisionOf(printed) ?? {};
  if (behavior !== "allow" && behavior !== "deny") return null;
  const hook = { decision: behavior, message: String(message) } as const;
  return { isAllowed: behavior === "allow", hook, answers: updatedInput?.answers ?? {} };
}

interface Decision {
  behavior?: unknown;
  message?: unknown;
  updatedInput?: { answers?: Record<string, unknown> };
}

function decisionOf(printed: string): Decision | null {
  try {
    return JSON.parse(printed).hookSpecificOutput?.decision ?? null;
  } catch {
    return null;
  }
}
