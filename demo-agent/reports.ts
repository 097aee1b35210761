// What the client tells other programs: its hooks, one after the other, and its status line.

import type { Settings } from "./files/settings.js";
import { askHooks, type HookEvent, runCommand, runHooks } from "./hooks.js";
import type { Session } from "./session.js";
import { statusLineInput } from "./status-line.js";

export class Reports {
  /** What the user's own program made of the status line. */
  statusLine = "";
  private hooksDone: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly settings: Settings,
  ) {}

  hook(event: HookEvent): Promise<void> {
    const { cwd } = this.session.facts.place;
    const whole = this.withFacts(event);
    this.hooksDone = this.hooksDone.then(() => runHooks(this.settings.hooks, whole, cwd));
    return this.hooksDone;
  }

  /** The answers of hooks that decide. They wait beside the dialog and hold up no other hook. */
  ask(event: HookEvent, signal: AbortSignal): Promise<string>[] {
    return askHooks(this.settings.hooks, this.withFacts(event), this.session.facts.place.cwd, signal);
  }

  private withFacts(event: HookEvent): HookEvent {
    const { session } = this;
    return {
      session_id: session.conversation.id,
      transcript_path: session.transcript,
      cwd: session.facts.place.cwd,
      permission_mode: session.facts.permissionMode,
      ...event,
    };
  }

  sessionStart(source: string, model: string): Promise<void> {
    const { title } = this.session.conversation;
    const titled = title === null ? {} : { session_title: title };
    return this.hook({ hook_event_name: "SessionStart", source, model, ...titled });
  }

  async refreshStatusLine(model: string): Promise<void> {
    const { settings, session } = this;
    if (settings.statusLine === null) return;
    const input = statusLineInput(session, model);
    this.statusLine = (await runCommand(settings.statusLine, input, session.facts.place.cwd)).trimEnd();
  }
}
