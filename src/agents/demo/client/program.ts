// The running client: keys in, turns and commands one after the other, screen, title and registry in step.
//
// [DP1] A message entered while it works waits in the client's own queue and is taken in order.
// [DP2] Screen and registry tell the same: idle, busy, or waiting and for what; so does the title of versions that
//       turn it.
// [DP3] An orderly end (command, key, SIGHUP, SIGTERM) leaves the registry; a crash leaves it as it was.

import { setTimeout as pause } from "node:timers/promises";
import type { Launch } from "./arguments.js";
import { type Draft, emptyDraft, entered, typed, withoutLast, withoutLastLine, withPaste } from "./box.js";
import { commandOf, type Desk, knownCommand, runSlashCommand } from "./commands.js";
import { queueRecord } from "./conversation.js";
import { type Dialog, dialogKey, type Permission } from "./dialog.js";
import { type HookEvent, runCommand, runHooks } from "./hooks.js";
import type { InputEvent } from "./input.js";
import { readKeys } from "./keyboard.js";
import { bannerLines, type Frame, frameOf, paneTitle, remarked, spoken } from "./screen.js";
import type { Session } from "./session.js";
import type { Settings } from "./settings.js";
import { statusLineInput } from "./status-line.js";
import { Terminal } from "./terminal.js";
import { type Stage, takeTurn } from "./turn.js";

const exitNoticeMs = 1000;
const spinnerMs = 960;
/** The real client gives the hooks of its end no longer than this. */
const lastHooksMs = 1500;

export class Program implements Stage, Desk {
  private readonly terminal = new Terminal(process.stdout);
  private draft: Draft = emptyDraft;
  private queue: string[] = [];
  private dialog: Dialog | null = null;
  /** Set while a turn or a command is under way. */
  private running: AbortController | null = null;
  private isBusy = false;
  private asksPermission: boolean;
  private showsSuggestion = true;
  private notice: string | null = null;
  private statusLine = "";
  private lastTextAt = 0;
  private hooksDone: Promise<void> = Promise.resolve();
  private spinner: NodeJS.Timeout | null = null;
  private isEnding = false;

  constructor(
    readonly session: Session,
    private readonly settings: Settings,
    public model: string,
  ) {
    this.asksPermission = session.facts.permissionMode !== "bypassPermissions";
  }

  get answerMs(): number {
    return this.session.facts.knobs.answerMs;
  }

  start({ prompt, name }: Launch, startSource: string): void {
    readKeys(this.session.facts.knobs.keylog, (events) => {
      for (const event of events) this.take(event);
      this.draw();
    });
    process.stdout.on("resize", () => {
      if (!this.isEnding) this.terminal.redraw(this.frame());
    });
    this.watchForEnd();
    this.terminal.open();
    this.banner();
    this.showTitle();
    this.draw();
    // Who sees it in the registry may type at once: everything else stands by then.
    this.session.register(name);
    this.showTitle();
    this.draw();
    const started = this.sessionStart(startSource);
    this.refreshStatusLine();
    if (prompt !== null) void this.work(prompt, started);
  }

  hook(event: HookEvent): Promise<void> {
    const { session, settings } = this;
    const { cwd } = session.facts.place;
    const facts = {
      session_id: session.conversation.id,
      transcript_path: session.transcript,
      cwd,
      permission_mode: session.facts.permissionMode,
    };
    this.hooksDone = this.hooksDone.then(() => runHooks(settings.hooks, { ...facts, ...event }, cwd));
    return this.hooksDone;
  }

  sessionStart(source: string): Promise<void> {
    const { title } = this.session.conversation;
    const titled = title === null ? {} : { session_title: title };
    return this.hook({ hook_event_name: "SessionStart", source, model: this.model, ...titled });
  }

  print(lines: readonly string[]): void {
    this.terminal.print(lines);
    this.draw();
  }

  remark(text: string): void {
    this.print(remarked(text));
  }

  beginAnew(): void {
    this.terminal.clear();
    this.banner();
    this.draw();
  }

  async workFor(ms: number): Promise<void> {
    this.show("busy");
    await pause(ms);
  }

  async mayRun(command: string, signal: AbortSignal): Promise<boolean> {
    if (!this.asksPermission) return true;
    const input = { tool_name: "Bash", tool_input: { command } };
    const message = "Claude needs your permission to use Bash";
    const choice = await new Promise<Permission>((choose) => {
      signal.addEventListener("abort", () => choose("no"), { once: true });
      this.dialog = { kind: "permission", command, selected: 0, choose };
      this.show("waiting", "permission prompt");
      void this.hook({ hook_event_name: "PermissionRequest", ...input });
      void this.hook({ hook_event_name: "Notification", message, notification_type: "permission_prompt" });
    });
    this.dialog = null;
    if (choice === "always") this.asksPermission = false;
    this.show("busy");
    return choice !== "no";
  }

  async openStatus(lines: readonly string[]): Promise<void> {
    await new Promise<void>((close) => {
      this.dialog = { kind: "status", lines, close };
      this.show("waiting", "dialog open");
    });
    this.dialog = null;
  }

  exit(): void {
    void this.end("prompt_input_exit", 0);
  }

  crash(): never {
    process.stderr.write("\r\ndemo agent: crashed, as asked\r\n");
    process.exit(1);
  }

  private watchForEnd(): void {
    const { stdin, stdout } = process;
    const hungUp = () => void this.end("other", 129);
    stdin.on("end", hungUp).on("error", hungUp);
    stdout.on("error", hungUp);
    process.on("SIGHUP", hungUp);
    process.on("SIGTERM", () => void this.end("other", 143));
    process.on("SIGINT", () => void this.end("other", 0));
  }

  private async end(reason: string, code: number): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    if (this.spinner !== null) clearInterval(this.spinner);
    this.session.leaveRegistry();
    this.terminal.close();
    process.stdin.setRawMode(false);
    const { id, title, isOnDisk } = this.session.conversation;
    // Older clients name a conversation by its title, if it has one.
    const name = title === null || this.session.facts.traits.isPeerAware ? id : JSON.stringify(title);
    if (isOnDisk) process.stdout.write(`\r\nResume this session with:\r\nclaude --resume ${name}\r\n`);
    await Promise.race([this.hook({ hook_event_name: "SessionEnd", reason }), pause(lastHooksMs)]);
    process.exit(code);
  }

  private submit(message: string): void {
    if (message === "/exit") this.exit();
    else if (this.running === null) void this.work(message);
    else {
      this.queue.push(message);
      this.session.record(queueRecord(this.session.conversation, "enqueue", message));
    }
  }

  private async work(first: string, after?: Promise<void>): Promise<void> {
    let message: string | undefined = first;
    while (message !== undefined && !this.isEnding) {
      this.running = new AbortController();
      this.terminal.print(spoken(message));
      const command = commandOf(message);
      if (command === null) {
        this.show("busy");
        await after;
        await takeTurn(message, this, this.running.signal);
      } else {
        await after;
        await runSlashCommand(command, this);
      }
      message = this.queue.shift();
      if (message !== undefined) this.session.record(queueRecord(this.session.conversation, "dequeue"));
    }
    this.running = null;
    if (this.isEnding) return;
    this.show("idle");
    this.refreshStatusLine();
  }

  /** What waits goes back into the box, as one draft. */
  private takeBackQueue(): void {
    if (this.queue.length === 0) return;
    this.draft = { ...this.draft, text: [...this.queue, this.draft.text].filter(Boolean).join("\n") };
    this.queue = [];
    this.session.record(queueRecord(this.session.conversation, "popAll"));
  }

  private interrupt(): void {
    this.takeBackQueue();
    this.running?.abort();
  }

  private take(event: InputEvent): void {
    const now = Date.now();
    if (this.isEnding) return;
    if (event.kind === "text" || event.kind === "paste") this.lastTextAt = now;
    else if (event.kind === "enter" && now - this.lastTextAt < this.session.facts.knobs.swallowEnterMs)
      return;
    if (this.dialog !== null) dialogKey(this.dialog, event);
    else this.edit(event);
  }

  private edit(event: InputEvent): void {
    switch (event.kind) {
      case "text":
        this.draft = typed(this.draft, event.text);
        return;
      case "paste":
        this.draft = withPaste(this.draft, event.text);
        return;
      case "newline":
        this.draft = typed(this.draft, "\n");
        return;
      case "backspace":
        this.draft = withoutLast(this.draft);
        return;
      case "ctrl-u":
        this.showsSuggestion = this.draft.text !== "" && this.showsSuggestion;
        this.draft = withoutLastLine(this.draft);
        return;
      case "enter": {
        const { draft, message } = entered(this.draft);
        this.draft = draft;
        if (message !== null) this.submit(message);
        return;
      }
      case "up":
        this.takeBackQueue();
        return;
      case "escape":
        if (this.isBusy) this.interrupt();
        return;
      case "ctrl-c":
        this.cancel();
        return;
      case "ctrl-d":
        if (this.draft.text === "") this.exit();
        return;
    }
  }

  private cancel(): void {
    if (this.isBusy) this.interrupt();
    else if (this.draft.text !== "") this.draft = emptyDraft;
    else if (this.notice !== null) this.exit();
    else {
      this.notice = "Press Ctrl-C again to exit";
      setTimeout(() => {
        this.notice = null;
        this.draw();
      }, exitNoticeMs);
    }
  }

  private show(status: "idle" | "busy" | "waiting", waitingFor?: string): void {
    this.isBusy = status === "busy";
    this.showTitle();
    this.draw();
    this.session.setStatus(status, waitingFor);
  }

  private showTitle(): void {
    if (this.spinner !== null) clearInterval(this.spinner);
    this.spinner = null;
    let turn = 0;
    const isTurning = this.isBusy && !this.session.facts.traits.isPeerAware;
    const title = () =>
      this.terminal.setTitle(paneTitle(this.session.conversation.title, isTurning ? turn++ : null));
    title();
    if (isTurning) this.spinner = setInterval(title, spinnerMs);
  }

  private refreshStatusLine(): void {
    const { settings, session } = this;
    if (settings.statusLine === null) return;
    const input = statusLineInput(session, this.model);
    void runCommand(settings.statusLine, input, session.facts.place.cwd).then((output) => {
      this.statusLine = output.trimEnd();
      this.draw();
    });
  }

  private banner(): void {
    const { knobs, place } = this.session.facts;
    this.terminal.print(bannerLines(knobs.version, this.model, place.cwd));
  }

  private draw(): void {
    if (!this.isEnding) this.terminal.draw(this.frame());
  }

  private frame(): Frame {
    const { conversation, facts } = this.session;
    const { suggestion } = facts.knobs;
    const view = {
      name: conversation.title,
      draft: this.draft.text,
      command: knownCommand(this.draft.text),
      suggestion: suggestion !== "" && this.showsSuggestion && !this.isBusy ? suggestion : null,
      queue: this.queue,
      isBusy: this.isBusy,
      dialog: this.dialog,
      permissionMode: facts.permissionMode,
      statusLine: this.statusLine,
      notice: this.notice,
    };
    return frameOf(view, this.terminal.columns, this.terminal.rows);
  }
}
