// A dialog that no hook handed over: what the pane shows, and its options by number.

import type { Attention } from "../../src/hive/attention.js";
import { Button } from "../parts/button.js";
import { CodeBlock } from "../parts/code-block.js";
import { CommandLine } from "../parts/command-line.js";
import { Marked } from "../parts/marked.js";
import { useDecision } from "./decision.js";
import { optionsIn } from "./dialog-rows.js";
import { allowsActions } from "./read-only-note.js";

export function DialogBody({ item }: { item: Extract<Attention, { kind: "dialog" }> }) {
  const { about, rows, paneId } = item;
  return (
    <div class="item-body">
      {about !== null && (
        <p>
          <Marked text={about} />
        </p>
      )}
      {rows !== null && rows.length > 0 && <CodeBlock lines={rows} label="the dialog" />}
      {paneId === null ? (
        <p class="soft">
          It has no pane. Answer it in the client: <CommandLine text="claude agents" />
        </p>
      ) : (
        allowsActions() && <Answers pane={paneId} rows={rows ?? []} />
      )}
    </div>
  );
}

function Answers({ pane, rows }: { pane: string; rows: readonly string[] }) {
  const { isBusy, decide } = useDecision();
  const options = optionsIn(rows);
  const name = { name: pane };
  return (
    <div class="row item-actions dialog-answers">
      {options.map(({ number, label }) => (
        <Button
          key={number}
          kind={number === 1 ? "main" : "plain"}
          isBusy={isBusy}
          onClick={(event) =>
            void decide(event, "/option", { ...name, number: String(number) }, `Chose ${number}.`)
          }
        >
          {number}. <Marked text={label} />
        </Button>
      ))}
      {options.length === 0 && (
        <>
          <Button
            kind="main"
            icon="check"
            isBusy={isBusy}
            onClick={(event) => void decide(event, "/approve", name)}
          >
            Approve
          </Button>
          <Button icon="close" isBusy={isBusy} onClick={(event) => void decide(event, "/reject", name)}>
            Reject
          </Button>
        </>
      )}
      <Button kind="quiet" isBusy={isBusy} onClick={(event) => void decide(event, "/dismiss", name)}>
        Close it with Escape
      </Button>
    </div>
  );
}
