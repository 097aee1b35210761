// What the client writes down of the commands that were typed: beside the conversation, not part of it.

import {
  type Author,
  answerRecord,
  type Conversation,
  noUsage,
  systemRecord,
  type TranscriptRecord,
  userRecord,
} from "./conversation.js";

/** A record that is made when its place behind the others is known. */
export type Draft = (to: Conversation, author: Author) => TranscriptRecord;

/** `/rename` and `/branch`: the command and what came of it. */
export function localCommand(name: string, argument: string, output: string): Draft[] {
  return [localRecord(commandText(name, argument)), localRecord(outputText(output))];
}

export function renamed(name: string): Draft[] {
  const reminder = `<system-reminder>\nThe user named this session "${name}".\n</system-reminder>`;
  return [
    ...localCommand("rename", name, `Session renamed to: ${name}`),
    userDraft(reminder, { isMeta: true }),
  ];
}

export function cleared(): Draft[] {
  return [...typedCommand("clear"), localRecord(outputText(""))];
}

/** Where the old words end, and what is left of them. */
export function compacted(summary: string): Draft[] {
  const boundary: Draft = (to, author) =>
    systemRecord(to, author, "compact_boundary", {
      parentUuid: null,
      logicalParentUuid: to.messages.at(-1)?.uuid ?? null,
      content: "Conversation compacted",
      level: "info",
      compactMetadata: { trigger: "manual", preTokens: to.usedTokens },
    });
  return [
    boundary,
    userDraft(summary, { isVisibleInTranscriptOnly: true, isCompactSummary: true }),
    ...[...typedCommand("compact"), userDraft(outputText("Compacted"))].map(withStart),
  ];
}

export function refusedCompact(why: string): Draft[] {
  return [...typedCommand("compact").map(withStart), localRecord(outputText(why))];
}

/** In the place of an answer that never came: the client wants one before it goes on with old words. */
export function noAnswer(): Draft {
  const content = [{ type: "text", text: "No response requested." }];
  return (to, author) =>
    answerRecord(to, { ...author, startedAs: null }, { model: "<synthetic>", content, usage: noUsage });
}

/** What somebody said. */
export function said(content: unknown): Draft {
  return (to, author) => userRecord(to, author, content);
}

/** With the id its process started with, as answers have it, where the version writes it down. */
function withStart(draft: Draft): Draft {
  return (to, author) => {
    const record = draft(to, author);
    return author.startedAs === null ? record : { ...record, session_id: author.startedAs };
  };
}

/** The model would else take the command for a message to it. */
function typedCommand(name: string): Draft[] {
  const caveat = "<local-command-caveat>The command below was not sent to you.</local-command-caveat>";
  return [userDraft(caveat, { isMeta: true }), userDraft(commandText(name, ""))];
}

function userDraft(content: string, facts = {}): Draft {
  return (to, author) => userRecord(to, author, content, facts);
}

function localRecord(content: string): Draft {
  return (to, author) => systemRecord(to, author, "local_command", { content, level: "info" });
}

function commandText(name: string, args: string): string {
  return `<command-name>/${name}</command-name>\n            <command-message>${name}</command-message>\n            <command-args>${args}</command-args>`;
}

function outputText(output: string): string {
  return `<local-command-stdout>${output}</local-command-stdout>`;
}
