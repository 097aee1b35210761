// A request of a client's hook: the real command, difference or question, and the decision.

import { useSignal } from "@preact/signals";
import type { Asked } from "../../src/agents/asked.js";
import type { RequestView } from "../../src/fleet/view.js";
import { Button } from "../parts/button.js";
import { CodeBlock } from "../parts/code-block.js";
import { Marked } from "../parts/marked.js";
import { hidesSomething } from "../parts/marks.js";
import { Notice } from "../parts/notice.js";
import { AlwaysForm } from "./always-form.js";
import { useDecision } from "./decision.js";
import { QuestionsForm } from "./questions-form.js";
import { allowsActions } from "./read-only-note.js";
import { RejectForm } from "./reject-form.js";

export type WholeRequest = RequestView & Pick<Asked, "lines">;

export function RequestBody({ request }: { request: WholeRequest }) {
  return (
    <div class="item-body">
      {isHiding(request) && (
        <Notice tone="bad">
          <p>
            <strong>Read this one carefully.</strong> Its text has control or invisible characters. They are
            shown as marks.
          </p>
        </Notice>
      )}
      {request.questions.length > 0 ? <QuestionsForm request={request} /> : <Permission request={request} />}
    </div>
  );
}

function Permission({ request }: { request: WholeRequest }) {
  const { id, tool, lines, line, rules } = request;
  const { isBusy, decide } = useDecision();
  const open = useSignal<"reject" | "always" | null>(null);
  const isDiff = tool === "Edit" || tool === "Write" || tool === "MultiEdit" || tool === "NotebookEdit";
  const shown = lines.length === 0 ? [line] : lines;
  const [file, ...change] = shown;
  return (
    <>
      {isDiff && change.length > 0 ? (
        <div class="change">
          <p class="mono change-file">
            <Marked text={file!} />
          </p>
          <CodeBlock lines={change} label="the change" isDiff />
        </div>
      ) : (
        <CodeBlock lines={shown} label={tool === "Bash" ? "the command" : `what ${tool} would do`} />
      )}
      {allowsActions() && open.value === null && (
        <div class="row item-actions">
          <Button
            kind={isHiding(request) ? "plain" : "main"}
            icon="check"
            isBusy={isBusy}
            onClick={(event) => void decide(event, "/approve", { name: id }, "Approved.")}
          >
            Approve
          </Button>
          <Button icon="close" isBusy={isBusy} onClick={() => (open.value = "reject")}>
            Reject…
          </Button>
          {rules.length > 0 && (
            <Button kind="quiet" isBusy={isBusy} onClick={() => (open.value = "always")}>
              Always allow…
            </Button>
          )}
          <span class="faint mono item-id">{id}</span>
        </div>
      )}
      {open.value === "reject" && <RejectForm name={id} close={() => (open.value = null)} />}
      {open.value === "always" && <AlwaysForm request={request} close={() => (open.value = null)} />}
    </>
  );
}

/** The server says so for what the client asks; the page looks for itself at what it shows. */
function isHiding({ isPlain, line, lines, rules }: WholeRequest): boolean {
  return !isPlain || [line, ...lines, ...rules].some(hidesSomething);
}
