// What came of the last actions, above every view: the thing that was decided may be gone.

import { Button } from "../parts/button.js";
import { Marked } from "../parts/marked.js";
import { Notice } from "../parts/notice.js";
import { forget, outcomes } from "../server/act.js";

export function Outcomes() {
  return (
    <div class="outcomes" aria-live="polite">
      {outcomes.value.map(({ id, isGood, lines, notes }) => (
        <Notice key={id} tone={isGood ? "good" : "bad"}>
          {lines.map((line) => (
            <p>
              <Marked text={line} />
            </p>
          ))}
          {notes.map((note) => (
            <p class="soft">
              <Marked text={note} />
            </p>
          ))}
          <Button kind="quiet" icon="close" isIconOnly onClick={() => forget(id)}>
            Close this message
          </Button>
        </Notice>
      ))}
    </div>
  );
}
