// A message to the agent. Enter sends, Shift+Enter makes a new line.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { AgentView } from "../../src/fleet/view.js";
import { labelOf } from "../board/board-rows.js";
import { allowsActions } from "../inbox/read-only-note.js";
import { Badge } from "../parts/badge.js";
import { Button } from "../parts/button.js";
import { CommandLine } from "../parts/command-line.js";
import { Marked } from "../parts/marked.js";
import { post } from "../server/api.js";
import { failureOf } from "../server/use-loaded.js";
import { type SendAnswer, type SentWords, sentWords } from "./sent-words.js";

/** Drafts survive a look at another view. */
const drafts = new Map<string, string>();

export function Composer({ name, agent }: { name: string; agent: AgentView }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, write, isRunning, sent, send } = useSending(name, agent.agent ?? name, field);
  if (!allowsActions()) {
    return (
      <p class="composer-closed soft">
        To send messages from here: <CommandLine text="hivemind serve --allow-actions" />
      </p>
    );
  }
  const label = labelOf(agent);
  return (
    <form
      class="card composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <label>
        <span class="unseen">Message to {label}</span>
        <textarea
          ref={field}
          class="composer-field"
          rows={Math.min(8, text.value.split("\n").length)}
          placeholder={`Message ${label}`}
          value={text.value}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void send();
          }}
        />
      </label>
      <div class="composer-foot">
        <span class="composer-outcome" role="status">
          {isRunning.value && "Sending…"}
          {sent.value !== null && <Sent {...sent.value} />}
          {!isRunning.value && sent.value === null && (
            <span class="faint composer-hint">
              <kbd>Enter</kbd> sends · <kbd>Shift</kbd> <kbd>Enter</kbd> new line
            </span>
          )}
        </span>
        <Button
          kind="main"
          icon="send"
          type="submit"
          isBusy={isRunning.value}
          disabled={text.value.trim() === ""}
        >
          Send
        </Button>
      </div>
    </form>
  );
}

/** `key` is what the draft belongs to. */
function useSending(name: string, key: string, field: RefObject<HTMLTextAreaElement | null>) {
  const text = useSignal(drafts.get(key) ?? "");
  const isRunning = useSignal(false);
  const sent = useSignal<SentWords | null>(null);
  const write = (value: string) => {
    text.value = value;
    drafts.set(key, value);
  };
  const send = async () => {
    if (isRunning.value || text.value.trim() === "") return;
    isRunning.value = true;
    sent.value = null;
    try {
      const { value } = await post<SendAnswer>("/send", { name, text: text.value });
      sent.value = sentWords(value);
      write("");
    } catch (error) {
      const { message, hint } = failureOf(error);
      sent.value = { word: message, tone: "bad", why: hint };
    } finally {
      isRunning.value = false;
      field.current?.focus();
    }
  };
  return { text, write, isRunning, sent, send };
}

function Sent({ word, tone, why }: SentWords) {
  const isShort = word.length < 40;
  return (
    <>
      {isShort ? <Badge tone={tone}>{word}</Badge> : <Marked text={word} />}
      {why !== null && (
        <span class="soft">
          {" "}
          <Marked text={why} />
        </span>
      )}
    </>
  );
}
