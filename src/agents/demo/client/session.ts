// The running session: its conversation, kept on disk, and what the registry says about it.
//
// [DN1] Nothing is written before the first message; then the head, what was copied and the message go in one append.
// [DN2] The registry's id follows `/clear`, `/branch`, `/resume` at once, and its status every change of activity.

import type { SessionId } from "../../../names/gates.js";
import {
  type Author,
  branched,
  type Conversation,
  compactRecords,
  headRecords,
  newConversation,
  type TranscriptRecord,
  titleRecords,
  userRecord,
  withMessages,
} from "./conversation.js";
import type { Knobs, Traits } from "./knobs.js";
import { copiedTitle, newId, type Place } from "./opening.js";
import {
  type Activity,
  type NameSource,
  type ProcessFacts,
  processFacts,
  removeEntry,
  type Status,
  uniqueName,
  writeEntry,
  writeKey,
} from "./registry-file.js";
import { appendTranscript, transcriptPath } from "./transcript-file.js";

export interface SessionFacts {
  place: Place;
  knobs: Knobs;
  traits: Traits;
  gitBranch: string;
  permissionMode: string;
  /** `--print` runs are not in the registry. */
  isInteractive: boolean;
}

export class Session {
  readonly author: Author;
  private process: ProcessFacts | null = null;
  private listedId: SessionId;
  private nameSource: NameSource = "user";
  private activity: Activity = { status: "idle", statusUpdatedAt: Date.now() };

  constructor(
    public conversation: Conversation,
    readonly facts: SessionFacts,
  ) {
    const { place, knobs, traits, gitBranch } = facts;
    const startedAs = traits.isPeerAware ? conversation.id : null;
    this.author = { cwd: place.cwd, gitBranch, version: knobs.version, startedAs };
    this.listedId = conversation.id;
  }

  get transcript(): string {
    const { configDir, cwd } = this.facts.place;
    return transcriptPath(configDir, cwd, this.conversation.id);
  }

  /** Settles the name that was given (or found taken), and enters the registry. */
  register(givenName: string | null): void {
    const { place, knobs, traits, isInteractive } = this.facts;
    if (isInteractive && knobs.hasRegistry)
      this.process = processFacts(place.cwd, knobs.version, traits.isPeerAware);
    this.rename(givenName ?? this.conversation.title);
    if (this.process !== null && traits.isPeerAware) writeKey(place.configDir, process.pid);
  }

  leaveRegistry(): void {
    if (this.process !== null) removeEntry(this.facts.place.configDir, process.pid);
    this.process = null;
  }

  setStatus(status: Status, waitingFor?: string): void {
    this.activity = {
      status,
      statusUpdatedAt: Date.now(),
      ...(waitingFor === undefined ? {} : { waitingFor }),
    };
    this.publish();
  }

  record(...records: TranscriptRecord[]): void {
    const { conversation } = this;
    const born = conversation.isOnDisk
      ? []
      : [...headRecords(conversation, this.facts.permissionMode), ...conversation.messages];
    appendTranscript(this.transcript, [...born, ...records]);
    this.conversation = { ...withMessages(conversation, records), isOnDisk: true };
  }

  rename(wanted: string | null): void {
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
    this.record(userRecord(this.conversation, this.author, commandText("clear", "")));
    if (!this.facts.knobs.registryLagsBehindClear) this.listedId = this.conversation.id;
    this.publish();
  }

  branch(name: string | null): void {
    const title = name ?? copiedTitle(this.conversation.title, this.facts.traits.isPeerAware);
    this.resume(branched(this.conversation, newId(), title));
    this.record();
  }

  /** Goes on with another conversation. */
  resume(other: Conversation): void {
    this.conversation = other;
    this.listedId = other.id;
    this.rename(other.title);
  }

  compact(summary: string): void {
    // Older versions went on under a new id, with nothing but the summary in it.
    if (this.facts.traits.isOld) this.conversation = newConversation(newId(), this.conversation.title);
    this.record(...compactRecords(this.conversation, this.author, summary));
    this.listedId = this.conversation.id;
    this.publish();
  }

  private publish(): void {
    if (this.process === null) return;
    const { title } = this.conversation;
    const source = this.facts.traits.isPeerAware ? { nameSource: this.nameSource } : {};
    writeEntry(this.facts.place.configDir, {
      ...this.process,
      sessionId: this.listedId,
      ...(title === null ? {} : { name: title, ...source }),
      ...this.activity,
      updatedAt: Date.now(),
    });
  }
}

/** How the client writes down a command that was typed. */
function commandText(name: string, args: string): string {
  return `<command-name>/${name}</command-name>\n            <command-message>${name}</command-message>\n            <command-args>${args}</command-args>`;
}
