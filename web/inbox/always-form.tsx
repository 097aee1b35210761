// A yes that also adds a rule. The person reads the rule before it is added.

import { useSignal } from "@preact/signals";
import { Button } from "../parts/button.js";
import { Marked } from "../parts/marked.js";
import { useDecision } from "./decision.js";
import type { WholeRequest } from "./request-body.js";

export function AlwaysForm({ request, close }: { request: WholeRequest; close(): void }) {
  const { id, rules } = request;
  const chosen = useSignal(rules.length === 1 ? 0 : -1);
  const { isBusy, decide } = useDecision();
  const approve = async () => {
    const body = { name: id, always: true, rule: chosen.value + 1 };
    if (await decide(null, "/approve", body, "Approved, and the rule is added.")) close();
  };
  return (
    <form
      class="item-form"
      onSubmit={(event) => {
        event.preventDefault();
        void approve();
      }}
    >
      <fieldset class="options">
        <legend>
          {rules.length === 1
            ? "This rule is added, and it is not asked again:"
            : "Which rule should be added?"}
        </legend>
        {rules.length === 1 ? (
          <p class="option">
            <code>
              <Marked text={rules[0]!} />
            </code>
          </p>
        ) : (
          rules.map((rule, at) => (
            <label key={rule} class="option">
              <input
                type="radio"
                name={`rule-${id}`}
                checked={chosen.value === at}
                onChange={() => (chosen.value = at)}
              />
              <code>
                <Marked text={rule} />
              </code>
            </label>
          ))
        )}
      </fieldset>
      <div class="row item-actions">
        <Button kind="main" icon="check" type="submit" isBusy={isBusy} disabled={chosen.value < 0}>
          Approve and add the rule
        </Button>
        <Button kind="quiet" onClick={close}>
          Back
        </Button>
      </div>
    </form>
  );
}
