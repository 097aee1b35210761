// The records of typed commands: in the transcript, but not part of the conversation.

import {
  type Author,
  answerRecord,
  type Conversation,
  noUsage,
  systemRecord,
  type TranscriptRecord,
  userRecord,
} from "./conversation.js";

/** A record that is completed when its position after the others is known. */
export type Draft = (to: Conversation, author: Author) => TranscriptRecord;

/** `/rename` and `/branch`: the command and its output. */
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

/** The compact boundary and the summary. */
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

/** Replaces an answer that never came: the client needs one before it continues an old conversation. */
export function noAnswer(): Draft {
  const content = [{ type: "text", text: "No response requested." }];
  return (to, author) =>
    answerRecord(to, { ...author, startedAs: null }, { model: "<synthetic>", content, usage: noUsage });
}

/** A message of the user. */
export function said(content: unknown): Draft {
  return (to, author) => userRecord(to, author, content);
}

/** With the id its process began with, as answers have it, if the version writes it. */
export function withStart(draft: Draft): Draft {
  return (to, author) => {
    const record = draft(to, author);
    return author.startedAs === null ? record : { ...record, session_id: author.startedAs };
  };
}

/** Without the caveat the model would take the command for a message. */
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
