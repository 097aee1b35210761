// The running client: reads keys, runs turns and commands one after the other, updates screen, title and registry.
//
// - A message entered or posted while it works is queued in the client and handled in order.
// - Screen and registry show the same activity: idle, busy, or waiting and for what. So does the title, in versions
//   that animate it.
// - A normal exit (command, key, SIGHUP, SIGTERM) removes the registry entry; a crash leaves it.

import { setTimeout as pause } from "node:timers/promises";
import type { SessionId } from "../src/names/gates.js";
import type { Launch } from "./arguments.js";
import { commandOf, type Desk, knownCommand, runSlashCommand } from "./commands.js";
import { queueRecord } from "./conversation.js";
import type { Settings } from "./files/settings.js";
import type { HookEvent } from "./hooks.js";
import { Inbox, type Owner } from "./inbox/inbox.js";
import { type PeerMessage, waitingRows } from "./inbox/peer-message.js";
import { firstVerdict, type Verdict } from "./permission.js";
import { watchForEnd } from "./process-end.js";
import { type Prompt, printedRows, Queue } from "./queue.js";
import { Reports } from "./reports.js";
import type { Session } from "./session.js";
import { type Choose, type Dialog, dialogKey, toolDialog } from "./terminal/dialog.js";
import type { InputEvent } from "./terminal/input.js";
import { type Draft, edited, emptyDraft, entered, withoutLastLine } from "./terminal/input-box.js";
import { readKeys } from "./terminal/keyboard.js";
import * as screen from "./terminal/screen.js";
import { Terminal } from "./terminal/terminal.js";
import { Title } from "./terminal/title.js";
import type { Tool } from "./tool.js";
import { type Stage, takeTurn } from "./turn.js";

const exitNoticeMs = 1000;
/** The real client gives the hooks of its exit no longer than this. */
const lastHooksMs = 1500;

export class Program implements Stage, Desk, Owner {
  private readonly terminal = new Terminal(process.stdout);
  private readonly title = new Title(this.terminal);
  private readonly reports: Reports;
  private draft: Draft = emptyDraft;
  private readonly queue = new Queue((operation, content) =>
    this.session.record(queueRecord(this.session.conversation, operation, content)),
  );
  private readonly inbox: Inbox | null;
  private dialog: Dialog | null = null;
  /** Set while a turn or a command runs. */
  private running: AbortController | null = null;
  private isBusy = false;
  private asksPermission: boolean;
  private showsSuggestion = true;
  private notice: string | null = null;
  private goesOnAt: string | null = null;
  private lastTextAt = 0;
  private isEnding = false;

  constructor(
    readonly session: Session,
    settings: Settings,
    public model: string,
  ) {
    this.reports = new Reports(session, settings);
    this.asksPermission = session.facts.permissionMode !== "bypassPermissions";
    const { knobs, traits } = session.facts;
    const hasInbox = traits.hasInbox && knobs.hasInbox && knobs.hasRegistry;
    const mode = this.asksPermission ? "prompting" : "bypass";
    this.inbox = hasInbox ? new Inbox(this, mode, settings.acceptsPosted) : null;
  }

  get answerMs(): number {
    return this.session.facts.knobs.answerMs;
  }

  async start({ prompt, name }: Launch, startSource: string): Promise<void> {
    readKeys(this.session.facts.knobs.keylog, (events) => {
      for (const event of events) this.take(event);
      this.draw();
    });
    process.stdout.on("resize", () => {
      if (!this.isEnding) this.terminal.redraw(this.frame());
    });
    watchForEnd((reason, code) => void this.end(reason, code));
    const inboxPath = (await this.inbox?.open()) ?? null;
    if (this.isEnding) return this.inbox?.close();
    this.terminal.open();
    this.banner();
    this.showTitle();
    this.draw();
    // A caller that sees it in the registry may type at once, so everything else is ready before.
    this.session.register(name, inboxPath);
    this.showTitle();
    this.draw();
    const started = this.sessionStart(startSource);
    this.refreshStatusLine();
    if (prompt !== null) void this.work({ kind: "typed", text: prompt }, started);
  }

  readonly hook = (event: HookEvent) => this.reports.hook(event);
  readonly sessionStart = (source: string) => this.reports.sessionStart(source, this.model);

  print(lines: readonly string[]): void {
    this.terminal.print(lines);
    this.draw();
  }

  remark(text: string): void {
    this.print(screen.remarked(text));
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

  async mayRun(tool: Tool, signal: AbortSignal): Promise<Verdict> {
    if (!this.asksPermission && tool.question === null) return { isAllowed: true, hook: null, answers: {} };
    const verdict = await firstVerdict(tool, this.reports, signal, (choose) => {
      const noted: Choose = (choice, answer) => {
        if (choice === "always") this.asksPermission = false;
        choose(choice, answer);
      };
      this.dialog = toolDialog(tool, noted);
      this.show("waiting", "permission prompt");
    });
    this.dialog = null;
    this.show("busy");
    this.askAboutHeld();
    return verdict;
  }

  readonly takePosted = (): readonly PeerMessage[] => this.queue.takePosted();
  readonly conversationId = (): SessionId => this.session.conversation.id;

  post(messages: readonly PeerMessage[]): void {
    if (this.isEnding) return;
    for (const message of messages) this.queue.post(message);
    const prompt = this.running === null ? this.queue.next() : null;
    if (prompt !== null) void this.work(prompt);
    this.draw();
  }

  askAboutHeld(): void {
    const message = this.inbox?.firstHeld ?? null;
    if (message === null || this.dialog !== null) return;
    const choose = (isDelivered: boolean) => {
      this.dialog = null;
      this.show(this.running === null ? "idle" : "busy");
      this.inbox?.decide(isDelivered);
      this.askAboutHeld();
    };
    this.dialog = { kind: "held", body: message.body, selected: 0, choose };
    this.show(this.isBusy ? "busy" : "idle");
  }

  async openStatus(lines: readonly string[]): Promise<void> {
    await new Promise<void>((close) => {
      this.dialog = { kind: "status", lines, close };
      this.show("waiting", "dialog open");
    });
    this.dialog = null;
    this.askAboutHeld();
  }

  async afterLimit(at: string | null): Promise<void> {
    if (at === null) return this.openStatus(screen.limitQuestion);
    this.goesOnAt = at;
    this.inform(`Usage limit reached · continuing automatically at ${at} · esc to cancel`, "notice");
  }

  exit(): void {
    void this.end("prompt_input_exit", 0);
  }

  crash(): never {
    process.stderr.write("\r\ndemo agent: crashed, as asked\r\n");
    process.exit(1);
  }

  private async end(reason: string, code: number): Promise<void> {
    if (this.isEnding) return;
    this.isEnding = true;
    this.title.stop();
    this.inbox?.close();
    this.session.leaveRegistry();
    this.terminal.close();
    process.stdin.setRawMode(false);
    const { conversation, facts } = this.session;
    if (conversation.isOnDisk) process.stdout.write(screen.lastWords(conversation, facts.traits.isPeerAware));
    await Promise.race([this.hook({ hook_event_name: "SessionEnd", reason }), pause(lastHooksMs)]);
    process.exit(code);
  }

  /** Prints a note of the client on the screen and writes it to the transcript. */
  inform(content: string, level: "notice" | "warning" = "warning"): void {
    this.session.inform(content, level);
    this.print(screen.answered(content));
  }

  private submit(message: string): void {
    if (message === "/exit") this.exit();
    else if (this.running === null) void this.work({ kind: "typed", text: message });
    else this.queue.type(message);
  }

  private async work(first: Prompt, after?: Promise<void>): Promise<void> {
    let prompt: Prompt | null = first;
    while (prompt !== null && !this.isEnding) {
      this.running = new AbortController();
      this.goesOnAt = null;
      this.terminal.print(printedRows(prompt));
      const command = prompt.kind === "typed" ? commandOf(prompt.text) : null;
      if (command === null) {
        this.show("busy");
        await after;
        await takeTurn(prompt, this, this.running.signal);
      } else {
        await after;
        await runSlashCommand(command, this);
      }
      prompt = this.queue.next();
    }
    this.running = null;
    if (this.isEnding) return;
    this.show("idle");
    this.refreshStatusLine();
  }

  /** Moves the queued messages that were typed back into the box, as one draft. */
  private takeBackQueue(): void {
    const typed = this.queue.takeTyped();
    if (typed.length === 0) return;
    this.draft = { ...this.draft, text: [...typed, this.draft.text].filter(Boolean).join("\n") };
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
    this.draft = edited(this.draft, event);
    switch (event.kind) {
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
        else if (this.goesOnAt !== null) this.cancelContinue();
        return;
      case "ctrl-c":
        this.cancel();
        return;
      case "ctrl-d":
        if (this.draft.text === "") this.exit();
        return;
    }
  }

  private cancelContinue(): void {
    this.goesOnAt = null;
    this.inform("Automatic continue cancelled · /rate-limit-options to re-arm", "notice");
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
    if (this.dialog?.kind === "held") this.session.setStatus("waiting", "permission prompt");
    else this.session.setStatus(status, waitingFor);
  }

  private showTitle(): void {
    const isTurning = this.isBusy && !this.session.facts.traits.isPeerAware;
    this.title.show(this.session.conversation.title, { isTurning });
  }

  private refreshStatusLine(): void {
    void this.reports.refreshStatusLine(this.model).then(() => this.draw());
  }

  private banner(): void {
    const { knobs, place } = this.session.facts;
    this.terminal.print(screen.bannerLines(knobs.version, this.model, place.cwd));
  }

  private draw(): void {
    if (!this.isEnding) this.terminal.draw(this.frame());
  }

  private frame(): screen.Frame {
    const { conversation, facts } = this.session;
    const { suggestion } = facts.knobs;
    const view = {
      name: conversation.title,
      draft: this.draft.text,
      command: knownCommand(this.draft.text),
      suggestion: suggestion !== "" && this.showsSuggestion && !this.isBusy ? suggestion : null,
      queue: this.queue.typed,
      posted: this.queue.posted.flatMap(waitingRows),
      isBusy: this.isBusy,
      dialog: this.dialog,
      permissionMode: facts.permissionMode,
      statusLine: this.reports.statusLine,
      notice: this.notice,
      goesOnAt: this.goesOnAt,
    };
    return screen.frameOf(view, this.terminal.columns, this.terminal.rows);
  }
}
