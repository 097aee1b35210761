// The input of the status line's command.

import { usageOf } from "./conversation.js";
import type { Session } from "./session.js";

export function statusLineInput({ conversation, transcript, facts }: Session, model: string): object {
  const { cwd } = facts.place;
  const windowTokens = model.endsWith("[1m]") ? 1_000_000 : 200_000;
  return {
    session_id: conversation.id,
    ...(conversation.title === null ? {} : { session_name: conversation.title }),
    transcript_path: transcript,
    cwd,
    model: { id: model, display_name: model },
    workspace: { current_dir: cwd, project_dir: cwd },
    version: facts.knobs.version,
    context_window: {
      context_window_size: windowTokens,
      total_input_tokens: conversation.usedTokens,
      used_percentage: Math.round((conversation.usedTokens / windowTokens) * 100),
      current_usage: usageOf(conversation.messages.findLast((record) => record.type === "assistant")),
    },
    // A cost that depends on the conversation alone, so that tests can compute it.
    cost: { total_cost_usd: conversation.messages.length / 100 },
  };
}
