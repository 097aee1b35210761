// What decides about a tool: the user in the dialog, or a hook for permission requests. The first answer counts.

import type { HookEvent } from "./hooks.js";
import type { Reports } from "./reports.js";
import type { Permission } from "./terminal/dialog.js";

export interface Verdict {
  isAllowed: boolean;
  /** Set if a hook decided. */
  hook: { decision: "allow" | "deny"; message: string } | null;
}

/** `show` opens the dialog, whose answer goes to the function that it gets. */
export function firstVerdict(
  command: string,
  reports: Reports,
  signal: AbortSignal,
  show: (choose: (choice: Permission) => void) => void,
): Promise<Verdict> {
  const refused = new AbortController();
  return new Promise((resolve) => {
    const choose = (choice: Permission) => {
      // As the real client: after a yes it leaves the hook running.
      if (choice === "no") refused.abort();
      resolve({ isAllowed: choice !== "no", hook: null });
    };
    signal.addEventListener("abort", () => choose("no"), { once: true });
    show(choose);
    for (const answer of reports.ask(requestEvent(command), refused.signal))
      void answer.then((printed) => {
        const hook = decisionIn(printed);
        if (hook !== null) resolve({ isAllowed: hook.decision === "allow", hook });
      });
    const message = "Claude needs your permission to use Bash";
    void reports.hook({ hook_event_name: "Notification", message, notification_type: "permission_prompt" });
  });
}

function requestEvent(command: string): HookEvent {
  const rules = [{ toolName: "Bash", ruleContent: command }];
  return {
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command },
    permission_suggestions: [{ type: "addRules", rules, behavior: "allow", destination: "localSettings" }],
  };
}

/** Null if the hook printed no decision. */
function decisionIn(printed: string): NonNullable<Verdict["hook"]> | null {
  const decision = decisionOf(printed);
  if (decision?.behavior !== "allow" && decision?.behavior !== "deny") return null;
  return { decision: decision.behavior, message: String(decision.message ?? "") };
}

function decisionOf(printed: string): { behavior?: unknown; message?: unknown } | null {
  try {
    return JSON.parse(printed).hookSpecificOutput?.decision ?? null;
  } catch {
    return null;
  }
}
