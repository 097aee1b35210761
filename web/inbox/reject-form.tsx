// A no, with a reason that the agent reads.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../parts/button.js";
import { useDecision } from "./decision.js";

/** `takesReason` is false for a dialog that is answered by key. */
export function RejectForm({ name, close }: { name: string; close(): void }) {
  const reason = useSignal("");
  const field = useRef<HTMLTextAreaElement>(null);
  const { isBusy, decide } = useDecision();
  // Before the next key: it belongs to the reason.
  useLayoutEffect(() => field.current?.focus(), []);
  const reject = async () => {
    const given = reason.value.trim();
    if (await decide(null, "/reject", given === "" ? { name } : { name, reason: given }, "Rejected."))
      close();
  };
  return (
    <form
      class="item-form"
      onSubmit={(event) => {
        event.preventDefault();
        void reject();
      }}
    >
      <label class="item-label">
        <span>
          What should it do instead? <span class="faint">The agent reads this; it may stay empty.</span>
        </span>
        <textarea
          ref={field}
          class="field"
          rows={2}
          value={reason.value}
          onInput={(event) => (reason.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void reject();
          }}
        />
      </label>
      <div class="row item-actions">
        <Button kind="bad" icon="close" type="submit" isBusy={isBusy}>
          Reject
        </Button>
        <Button kind="quiet" onClick={close}>
          Back
        </Button>
      </div>
    </form>
  );
}
