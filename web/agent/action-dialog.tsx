// Asks before an action, and for the new name that some need.

import { useSignal } from "@preact/signals";
import { Button } from "../parts/button.js";
import { Dialog } from "../parts/dialog.js";
import { FailureNotice } from "../parts/notice.js";
import { type Said, tell } from "../server/act.js";
import { post } from "../server/api.js";
import { failureOf } from "../server/use-loaded.js";

type Kind = "fork" | "rename" | "restart" | "kill";

interface Form {
  title: string;
  about: string;
  button: string;
  /** Of the field for a name; absent if none is needed. */
  field?: string;
  isFieldNeeded?: boolean;
  isBad?: boolean;
  path: string;
  body(typed: string): object;
}

function formOf(kind: Kind, name: string, label: string, isHere: boolean): Form {
  switch (kind) {
    case "fork":
      return {
        title: `Fork ${label}`,
        about: `A new agent starts that knows all that ${label} knows. ${label} goes on untouched.`,
        button: "Fork",
        field: "Role of the new agent",
        path: "/agents/fork",
        body: (typed) => (typed === "" ? { name } : { name, as: typed }),
      };
    case "rename":
      return {
        ...{ title: `Rename ${label}`, about: "Messages and history stay with the agent.", button: "Rename" },
        ...{ field: "New role", isFieldNeeded: true, path: "/agents/rename" },
        body: (typed) => ({ name, new: typed }),
      };
    case "restart":
      return {
        title: `Restart ${label}?`,
        about: isHere
          ? "It ends and starts again in the same conversation. What it is doing now is interrupted."
          : "It starts again in its conversation.",
        ...{ button: "Restart", path: "/agents/restart", body: () => ({ name }) },
      };
    case "kill":
      return {
        title: `Kill ${label}?`,
        about:
          "Its client ends and its pane closes. Its conversation and messages are kept: a restart brings it back.",
        ...{ button: "Kill", isBad: true, path: "/agents/kill" },
        body: () => ({ name, yes: true }),
      };
  }
}

export function ActionDialog(asked: {
  kind: Kind;
  name: string;
  label: string;
  isHere: boolean;
  close(): void;
}) {
  const { kind, name, label, isHere, close } = asked;
  const form = formOf(kind, name, label, isHere);
  const typed = useSignal("");
  const isRunning = useSignal(false);
  const failure = useSignal<{ message: string; hint: string | null } | null>(null);
  const run = async (event: Event) => {
    event.preventDefault();
    if (isRunning.value) return;
    isRunning.value = true;
    failure.value = null;
    try {
      const { value } = await post<Said>(form.path, form.body(typed.value.trim()));
      tell(true, value.lines?.length ? value.lines : [`${form.button}: done.`], value.notes ?? []);
      close();
    } catch (error) {
      failure.value = failureOf(error);
    } finally {
      isRunning.value = false;
    }
  };
  return (
    <Dialog title={form.title} close={close}>
      <form class="stack" onSubmit={run}>
        <p>{form.about}</p>
        {form.field !== undefined && (
          <label class="item-label">
            {form.field}
            <input
              class="field"
              type="text"
              autocomplete="off"
              spellcheck={false}
              value={typed.value}
              onInput={(event) => (typed.value = event.currentTarget.value)}
            />
          </label>
        )}
        {failure.value !== null && <FailureNotice failure={failure.value} />}
        <div class="row">
          <Button
            kind={form.isBad ? "bad" : "main"}
            type="submit"
            isBusy={isRunning.value}
            disabled={form.isFieldNeeded === true && typed.value.trim() === ""}
          >
            {isRunning.value ? "Working…" : form.button}
          </Button>
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
