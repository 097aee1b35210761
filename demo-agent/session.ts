// The running session: its conversation on disk, and its registry entry.
//
// - Nothing is written before the first message, or the first command with a record. Then the head, the copies and
//   the message go in one append.
// - The registry's id follows `/clear`, `/branch` and `/resume` at once, and its status every change of activity.

import { basename } from "node:path";
import type { SessionId } from "../src/names/gates.js";
import {
  cleared,
  compacted,
  type Draft,
  localCommand,
  noAnswer,
  refusedCompact,
  renamed,
  said,
} from "./command-records.js";
import {
  type Author,
  branched,
  branchTitle,
  type Conversation,
  endsOpen,
  headRecords,
  newConversation,
  systemRecord,
  type TranscriptRecord,
  titleRecords,
  withMessages,
} from "./conversation.js";
import {
  type Activity,
  changeEntry,
  type NameSource,
  type ProcessFacts,
  processFacts,
  removeEntry,
  type Status,
  uniqueName,
  writeEntry,
  writeKey,
} from "./files/registry-file.js";
import { appendTranscript, transcriptPath } from "./files/transcript-file.js";
import type { Knobs, Traits } from "./knobs.js";
import { newId, type Place } from "./opening.js";

export interface SessionFacts {
  place: Place;
  knobs: Knobs;
  traits: Traits;
  gitBranch: string;
  permissionMode: string;
  /** False for a `--print` run; the registry entry says so. */
  isInteractive: boolean;
}

export const nothingToCompact = "Not enough messages to compact.";

export class Session {
  readonly author: Author;
  private process: ProcessFacts | null = null;
  private isListed = false;
  private listedId: SessionId;
  private nameSource: NameSource = "user";
  private readonly derivedName: string;
  /** It continues an old conversation and has no new message yet. */
  private isReopened: boolean;
  private hasEnded = false;
  private activity: Activity = { status: "idle", statusUpdatedAt: Date.now() };

  constructor(
    public conversation: Conversation,
    readonly facts: SessionFacts,
  ) {
    const { place, knobs, traits, gitBranch, isInteractive } = facts;
    const startedAs = traits.isPeerAware && isInteractive ? conversation.id : null;
    this.author = { cwd: place.cwd, gitBranch, version: knobs.version, startedAs };
    this.listedId = conversation.id;
    this.isReopened = conversation.messages.length > 0;
    this.derivedName = `${basename(place.cwd)}-${newId().slice(0, 2)}`;
  }

  get transcript(): string {
    const { configDir, cwd } = this.facts.place;
    return transcriptPath(configDir, cwd, this.conversation.id);
  }

  /** Chooses a unique name and adds the registry entry. `inbox` is the path of the socket, if there is one. */
  register(givenName: string | null, inbox: string | null = null): void {
    const { place, knobs, traits, isInteractive } = this.facts;
    if (knobs.hasRegistry) {
      const facts = processFacts(place.cwd, knobs.version, traits.isPeerAware);
      this.process = {
        ...facts,
        ...(isInteractive ? {} : { entrypoint: "sdk-cli" }),
        ...(inbox === null ? {} : { messagingSocketPath: inbox }),
      };
    }
    this.rename(givenName ?? this.conversation.title);
    if (this.process !== null && isInteractive && traits.isPeerAware) writeKey(place.configDir, process.pid);
  }

  leaveRegistry(): void {
    if (this.process !== null) removeEntry(this.facts.place.configDir, process.pid);
    this.process = null;
    this.hasEnded = true;
  }

  setStatus(status: Status, waitingFor?: string): void {
    this.activity = {
      status,
      statusUpdatedAt: Date.now(),
      ...(waitingFor === undefined ? {} : { waitingFor }),
    };
    this.publish();
  }

  /** Writes nothing after the end: a turn may still run while the folder is removed. */
  record(...records: TranscriptRecord[]): void {
    if (this.hasEnded || records.length === 0) return;
    const { conversation } = this;
    const born = conversation.isOnDisk
      ? []
      : [...headRecords(conversation, this.facts.permissionMode), ...conversation.messages];
    appendTranscript(this.transcript, [...born, ...records]);
    this.conversation = { ...withMessages(conversation, records), isOnDisk: true };
  }

  /** Each follows the one before it, all in one append. */
  write(drafts: readonly Draft[]): void {
    let to = this.conversation;
    const records = drafts.map((draft) => {
      const record = draft(to, this.author);
      to = withMessages(to, [record]);
      return record;
    });
    this.record(...records);
  }

  /** Writes a note of the client. */
  inform(content: string, level: "notice" | "warning" = "notice"): void {
    const { conversation, author } = this;
    this.record(systemRecord(conversation, author, "informational", { content, level }));
  }

  /** Writes a message of the user, or a tool result. */
  say(content: unknown): void {
    this.hear([said(content)]);
  }

  /** Writes the messages that begin a turn. */
  hear(drafts: readonly Draft[]): void {
    this.write([...this.closing(), ...drafts]);
  }

  /** The session may get another name than the wanted one. */
  renameTo(wanted: string): void {
    this.rename(wanted);
    this.write(renamed(this.conversation.title ?? wanted));
  }

  private rename(wanted: string | null): void {
    const { place, traits } = this.facts;
    const isShared = wanted !== null && traits.isPeerAware && this.process !== null;
    const { name, source } = isShared
      ? uniqueName(place.configDir, process.pid, wanted)
      : { name: wanted, source: "user" as const };
    if (name !== null && name !== this.conversation.title && this.conversation.isOnDisk) {
      appendTranscript(this.transcript, titleRecords(this.conversation.id, name));
    }
    this.conversation = { ...this.conversation, title: name };
    this.nameSource = source;
    this.publish();
  }

  clear(): void {
    this.conversation = newConversation(newId(), this.conversation.title);
    this.write(cleared());
    if (!this.facts.knobs.registryLagsBehindClear) this.listedId = this.conversation.id;
    this.publish();
  }

  branch(name: string | null, words: (parent: SessionId) => string): void {
    const parent = this.conversation.id;
    const title = name ?? branchTitle(this.conversation);
    this.resume(branched(this.conversation, newId(), title, this.facts.traits.isPeerAware));
    // A branch's copies come first; its file exists before its first message.
    const head = headRecords(this.conversation, this.facts.permissionMode);
    appendTranscript(this.transcript, [...this.conversation.messages, ...head]);
    this.conversation = { ...this.conversation, isOnDisk: true };
    this.write([...this.closing(), ...localCommand("branch", name ?? "", words(parent))]);
  }

  /** Continues with another conversation. */
  resume(other: Conversation): void {
    this.conversation = other;
    this.isReopened = true;
    this.listedId = other.id;
    this.rename(other.title);
  }

  /** False if there is too little to summarise; that is recorded too. */
  compact(summary: string): boolean {
    const boundary = this.conversation.messages.findLastIndex(
      ({ isCompactSummary }) => isCompactSummary === true,
    );
    if (!this.conversation.messages.slice(boundary + 1).some(({ type }) => type === "assistant")) {
      this.write(refusedCompact(nothingToCompact));
      return false;
    }
    // Older versions continued under a new id, with only the summary in it.
    if (this.facts.traits.isOld) this.conversation = newConversation(newId(), this.conversation.title);
    this.write(compacted(summary));
    this.listedId = this.conversation.id;
    this.publish();
    return true;
  }

  private closing(): Draft[] {
    const isOpen = this.isReopened && endsOpen(this.conversation);
    this.isReopened = false;
    return isOpen ? [noAnswer()] : [];
  }

  private publish(): void {
    if (this.process === null) return;
    const { isInteractive, traits } = this.facts;
    const { title } = this.conversation;
    const source = traits.isPeerAware ? { nameSource: this.nameSource } : {};
    const named =
      title === null
        ? { name: this.derivedName, nameSource: "derived" as const }
        : { name: title, ...source };
    const changes = {
      sessionId: this.listedId,
      ...named,
      ...(isInteractive || traits.isPeerAware ? this.activity : {}),
      updatedAt: Date.now(),
    };
    const { configDir } = this.facts.place;
    if (this.isListed) changeEntry(configDir, process.pid, changes);
    else writeEntry(configDir, { ...this.process, ...changes });
    this.isListed = true;
  }
}
