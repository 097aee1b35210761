// A message that was not delivered, or for which nothing proves that it was.

import type { Attention } from "../../src/hive/attention.js";
import { Button } from "../parts/button.js";
import { CodeBlock } from "../parts/code-block.js";
import { CommandLine } from "../parts/command-line.js";
import { Marked } from "../parts/marked.js";
import { useDecision } from "./decision.js";
import { allowsActions } from "./read-only-note.js";

export function LostMessageBody({ item }: { item: Extract<Attention, { kind: "message" }> }) {
  const { message, text, paneId, agent } = item;
  const { isBusy, decide } = useDecision();
  const name = paneId ?? (agent === null ? null : `@${agent}`);
  return (
    <div class="item-body">
      {text !== null && <CodeBlock lines={text.split("\n")} label="the message" most={12} />}
      <p class="soft">
        {message.step}: <Marked text={message.detail} />
      </p>
      <div class="row item-actions">
        {allowsActions() && name !== null && text !== null && (
          <Button
            icon="send"
            isBusy={isBusy}
            onClick={(event) => void decide(event, "/send", { name, text }, "Sent again.")}
          >
            Send it again
          </Button>
        )}
        {name !== null && (
          <span class="soft">
            Seen it? <CommandLine text={`hivemind queue clear ${name}`} />
          </span>
        )}
      </div>
    </div>
  );
}
