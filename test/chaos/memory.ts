// What the chaos knows of its world because it did it: which pane has which role, what every agent says of itself,
// which messages wait for whom, and which lines it wrote into the stores by hand.

import { isTeamName } from "./followed.js";
import { rowsOf, waitingMessages } from "./rows.js";
import type { Seen, Stage, StoreId } from "./stage.js";

export interface KnownPane {
  id: string;
  kind: "agent" | "shell";
  /** What hivemind was told, or must find in the title; null for what stays without a name. */
  role: string | null;
  /** The last session the agent itself told of, and all before it. */
  uuid: string | null;
  past: Set<string>;
  pid: number;
  /** A person's edit changed its rows: while its agent runs they can be told again. */
  isDamaged: boolean;
  /** A person's edit took away what nothing live can give back. */
  isForgotten: boolean;
  /** It once stood where no row can name it: what waits for it may have been put aside then. */
  wasAway: boolean;
}

/** One text in the whole story: it waits for one pane. */
export interface KnownMessage {
  text: string;
  /** Which tmux server the pane was of: ids begin again on the next. */
  server: number;
  pane: string;
  role: string | null;
  /** Who queued it was killed: it is there, or it is not. */
  isUncertain: boolean;
}

/** What was saved, as far as it must come back. */
export interface SavedAgent {
  /** Undefined where nobody can say what was saved. */
  role: string | null | undefined;
  uuid: string;
}

export class Memory {
  /** How many tmux servers there were before this one. */
  server = 0;
  /** The pane that keeps the server alive: it is never moved. */
  bystander = "";
  private panes = new Map<string, KnownPane>();
  readonly messages: KnownMessage[] = [];
  /** Lines written by hand that are no rows: they stay, whatever happens to the rows around them. */
  readonly foreign: { store: StoreId; line: string }[] = [];
  /** Of the newest snapshot; null before the first. */
  saved: SavedAgent[] | null = null;
  /** Sessions that were open twice: the client keeps the second one's name in their transcript. */
  readonly twins = new Set<string>();
  /** Forks that S5 must never forget. */
  readonly forks: { child: string; parent: string }[] = [];
  /** S5 as it was at the last look. */
  lineage = "";
  private count = 0;

  constructor(private readonly stage: Stage) {}

  /** A name that was not there before. */
  fresh(stem: string): string {
    this.count += 1;
    return `${stem}${this.count}`;
  }

  add(pane: Seen, kind: KnownPane["kind"], role: string | null): KnownPane {
    const uuid = this.stage.ownWord(pane.pid)?.sessionId ?? null;
    const past = new Set(uuid === null ? [] : [uuid]);
    const known = {
      id: pane.id,
      kind,
      role,
      uuid,
      past,
      pid: pane.pid,
      isDamaged: false,
      isForgotten: false,
      wasAway: false,
    };
    this.panes.set(pane.id, known);
    return known;
  }

  of(id: string): KnownPane | undefined {
    return this.panes.get(id);
  }

  /** The panes that are there, with what is known of each, in the order of their ids. */
  now(): Known[] {
    return this.stage
      .panes()
      .sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
      .flatMap((seen) => {
        const known = this.panes.get(seen.id);
        if (known === undefined) return [];
        known.pid = seen.pid;
        known.uuid = this.stage.ownWord(seen.pid)?.sessionId ?? known.uuid;
        if (known.uuid !== null) known.past.add(known.uuid);
        const isTold = known.kind === "agent" && seen.isAlive;
        if (known.isDamaged && !isTold) known.isForgotten = true;
        if (!isTeamName(seen.sessionName)) {
          known.wasAway = true;
          // Another took its place meanwhile, and its rows were let go.
          if (seen.mark === "") known.isForgotten = true;
        }
        return [{ ...seen, known }];
      });
  }

  /** Nothing of it is there any more: ids begin again. */
  serverGone(): void {
    this.server += 1;
    this.panes = new Map();
  }

  /** All rows are right again, of panes that rows can name. */
  repaired(): void {
    const teams = new Set(this.teams());
    for (const { known, sessionName } of this.now()) if (teams.has(sessionName)) known.isDamaged = false;
  }

  /** A message that waits for this pane from now on. */
  queued(text: string, { id, known }: Known, isUncertain = false): void {
    this.messages.push({ text, server: this.server, pane: id, role: known.role, isUncertain });
  }

  /** What waits for it waits for the new name. */
  renamed({ known }: Known, role: string): void {
    Object.assign(known, { role, isForgotten: false });
    for (const message of this.messages) {
      if (message.server === this.server && message.pane === known.id) message.role = role;
    }
  }

  /** On the next server a message goes on waiting for the agent of its role at its address. */
  inherited(): void {
    const places = new Map(this.now().map((pane) => [pane.address, pane]));
    const waiting = new Map(waitingMessages(this.stage).map(({ text, pane }) => [text, pane]));
    for (const message of this.messages) {
      const heir = places.get(waiting.get(message.text) ?? "");
      const isHeir = heir?.known.isForgotten || heir?.known.role === message.role;
      if (heir === undefined || !isHeir) continue;
      Object.assign(message, { server: this.server, pane: heir.id });
    }
  }

  /** The teams that S3 names, by the file itself. */
  teams(): string[] {
    return rowsOf("S3", this.stage.read("S3")).map(([team]) => team!);
  }
}

export type Known = Seen & { known: KnownPane };
