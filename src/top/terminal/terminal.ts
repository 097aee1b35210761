// The person's terminal, taken for a full screen and given back as it was. The only file here with effects.
//
// - It is given back however the program ends: by `close`, an exit, an uncaught error or a signal. The text of an uncaught
//   error is printed after that. Whoever prints anything else closes the terminal first.
// - Ctrl-Z gives it back and really stops the program; `fg` takes it again.
// - Lines do not wrap at the right edge: a character that is wider than it seems cannot spoil the next line.

import { StringDecoder } from "node:string_decoder";
import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { Frame } from "./frame.js";
import { flush, type ParsedKeys, parseKeys, type TerminalEvent } from "./keys.js";
import { openPainter, type Painter, type Size } from "./painter.js";

export interface TopTerminal {
  size(): Size;
  /** While the terminal is lent, the frame is kept for later. */
  paint(frame: Frame): void;
  /** Gives the terminal back for another program (e.g. $EDITOR), then takes it again. */
  lend<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

export interface TerminalHost {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  env: NodeJS.ProcessEnv;
  process: NodeJS.Process;
}

export function openTerminal(host: TerminalHost, onEvent: (event: TerminalEvent) => void): TopTerminal {
  if (!host.stdin.isTTY || !host.stdout.isTTY) {
    const missing = host.stdin.isTTY ? "output" : "input";
    throw new HiveError(`top needs a terminal, and its ${missing} is none`);
  }
  if (!host.env.TERM || host.env.TERM === "dumb")
    throw new HiveError("top needs a terminal that can move its cursor", {
      hint: `TERM is ${host.env.TERM || "not set"}`,
    });
  return new TakenTerminal(host, onEvent);
}

/** The other screen without a cursor and without wrapping; pastes in brackets; presses of the mouse in SGR form. */
const entering = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[?1000h\x1b[?1006h";
const leaving = "\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?7h\x1b[m\x1b[?25h\x1b[?1049l";

const endings = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT"] as const;

class TakenTerminal implements TopTerminal {
  private state: "taken" | "stopped" | "lent" | "closed" = "stopped";
  private frame: Frame | null = null;
  /** When another program last gave the terminal back. */
  private returnedMs = Number.NEGATIVE_INFINITY;
  private stopTimer: NodeJS.Timeout | undefined;
  private readonly painter: Painter;
  private readonly keyboard: Keyboard;
  private readonly undoListening: (() => void)[] = [];

  constructor(
    private readonly host: TerminalHost,
    private readonly onEvent: (event: TerminalEvent) => void,
  ) {
    const { stdin, stdout, env, process } = host;
    this.painter = openPainter((text) => stdout.write(text), { isColoured: !env.NO_COLOR });
    this.keyboard = new Keyboard((event) => this.handle(event));
    this.listen(stdin, "data", (bytes: Buffer) => this.keyboard.read(bytes));
    this.listen(stdin, "end", () => this.end("SIGHUP"));
    this.listen(stdout, "resize", () => this.resized());
    for (const signal of endings) this.listen(process, signal, () => this.end(signal));
    this.listen(process, "SIGTSTP", this.stopped);
    this.listen(process, "SIGCONT", () => this.continued());
    this.listen(process, "exit", () => this.close());
    // Node promises this one before it prints the error.
    this.listen(process, "uncaughtExceptionMonitor", () => this.close());
    // They stay after the end: a write into a terminal that is gone fails later.
    for (const stream of [stdin, stdout]) stream.on("error", () => this.end("SIGHUP"));
    this.take();
  }

  size(): Size {
    const { columns, rows } = this.host.stdout;
    return { columns: columns || 80, rows: rows || 24 };
  }

  paint(frame: Frame): void {
    this.frame = frame;
    if (this.state === "taken") this.painter.paint(frame, this.size());
  }

  async lend<T>(work: () => Promise<T>): Promise<T> {
    // The one who lent it first takes it again.
    if (this.state !== "taken") return work();
    this.giveBack("lent");
    try {
      return await work();
    } finally {
      this.returnedMs = performance.now();
      if (this.is("lent")) this.takeAgain();
    }
  }

  close(): void {
    if (this.state === "closed") return;
    this.giveBack("closed");
    clearTimeout(this.stopTimer);
    for (const undo of this.undoListening) undo();
  }

  private take(): void {
    const { stdin, stdout } = this.host;
    this.state = "taken";
    // Another program may have changed the mode, and node sets only a mode that is not the one it set before.
    stdin.setRawMode(false);
    stdin.setRawMode(true);
    // A terminal that is gone has ended this one just now.
    if (!this.is("taken")) return;
    stdin.resume();
    stdout.write(entering);
    this.painter.forget();
  }

  private takeAgain(): void {
    this.take();
    // In the background nobody reported a new size: node looks, and tells `resized`.
    this.host.process.emit("SIGWINCH", "SIGWINCH");
    if (this.frame !== null) this.paint(this.frame);
  }

  private giveBack(next: "stopped" | "lent" | "closed"): void {
    const { stdin, stdout } = this.host;
    const isTaken = this.state === "taken";
    this.state = next;
    if (!isTaken) return;
    this.keyboard.forget();
    stdin.pause();
    stdout.write(leaving);
    stdin.setRawMode(false);
  }

  private handle(event: TerminalEvent): void {
    if (this.state !== "taken") return;
    const isCtrlZ = event.kind === "key" && event.name === "z" && event.isCtrl && !event.isAlt;
    // Like the terminal itself does it: with everything that was started together with this program.
    if (isCtrlZ) this.stop(0);
    else this.onEvent(event);
  }

  private resized(): void {
    if (this.state !== "taken") return;
    this.painter.forget();
    this.onEvent({ kind: "resize" });
  }

  /** Other listeners of the signal decide what it does; without them it ends the program as usual. */
  private end(signal: (typeof endings)[number]): void {
    const { process } = this.host;
    // Ctrl-C and Ctrl-\ are for the program that has the terminal. Node may report them after the end of that program.
    const isLent = this.state === "lent" || performance.now() - this.returnedMs < limits.lateSignalMs;
    if (isLent && (signal === "SIGINT" || signal === "SIGQUIT")) return;
    if (this.state === "closed") return;
    this.close();
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  }

  private readonly stopped = () => this.stop(this.host.process.pid);

  /** Stops this process, or with 0 its whole group. A lent terminal stays as it is. */
  private stop(target: number): void {
    const { process } = this.host;
    if (this.state === "taken") this.giveBack("stopped");
    // Without a listener the signal stops the process.
    process.off("SIGTSTP", this.stopped);
    process.kill(target, "SIGTSTP");
    // A program without a shell above it cannot be stopped and is never continued. The signal of a continued one goes first.
    this.stopTimer = setTimeout(() => setImmediate(() => this.continued()), limits.stopMs);
  }

  private continued(): void {
    const { process } = this.host;
    clearTimeout(this.stopTimer);
    if (this.state === "closed") return;
    if (!process.listeners("SIGTSTP").includes(this.stopped)) process.on("SIGTSTP", this.stopped);
    if (this.state === "lent") return;
    this.takeAgain();
    this.onEvent({ kind: "resumed" });
  }

  /** A function, because the state changes during calls. */
  private is(state: TakenTerminal["state"]): boolean {
    return this.state === state;
  }

  private listen(emitter: NodeJS.EventEmitter, event: string, listener: (...args: never[]) => void): void {
    emitter.on(event, listener as () => void);
    this.undoListening.push(() => emitter.off(event, listener as () => void));
  }
}

/** Reports the events of the bytes, and an Escape after a short rest. */
class Keyboard {
  private decoder = new StringDecoder("utf8");
  private held = "";
  private reads = 0;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly report: (event: TerminalEvent) => void) {}

  read(bytes: Buffer): void {
    this.reads++;
    clearTimeout(this.rest);
    this.handOn(parseKeys(this.held + this.decoder.write(bytes)));
    if (this.held !== "") this.rest = setTimeout(() => this.rested(this.reads), limits.escapeRestMs);
  }

  /** The beginning of a sequence is for nobody any more. */
  forget(): void {
    this.decoder = new StringDecoder("utf8");
    this.held = "";
    this.reads++;
    clearTimeout(this.rest);
  }

  private rested(reads: number): void {
    // A busy process runs its timer before it reads bytes that are already there: those go first.
    setImmediate(() => {
      if (this.reads === reads) this.handOn(flush(this.held));
    });
  }

  private handOn({ events, held }: ParsedKeys): void {
    this.held = held;
    for (const event of events) this.report(event);
  }
}
