// A few words beside the pointer: which conversation this is, or what a click on the point of a fork does.

import type { Signal } from "@preact/signals";
import { Marked } from "../parts/marked.js";
import { TimeAgo } from "../parts/time-ago.js";
import type { Hover } from "./canvas/graph-canvas.js";
import { nameOf, roleOf } from "./graph.js";

export function HoverNote({ hover }: { hover: Signal<Hover> }) {
  const { value } = hover;
  if (value === null) return null;
  const place = (element: HTMLElement | null) => {
    if (element === null) return;
    const isRight = value.at.x > element.parentElement!.clientWidth - 280;
    element.style.left = isRight ? "" : `${value.at.x + 14}px`;
    element.style.right = isRight ? `${element.parentElement!.clientWidth - value.at.x + 14}px` : "";
    element.style.top = `${value.at.y + 16}px`;
  };
  if ("joint" in value) {
    return (
      <div class="hover-note" ref={place} aria-hidden="true">
        <b class="cut">
          <Marked text={nameOf(value.joint.child.kin)} />
        </b>
        <span class="soft">began here: click to read the conversation at this point</span>
      </div>
    );
  }
  const { kin } = value.node;
  const { facts } = kin;
  return (
    <div class="hover-note" ref={place} aria-hidden="true">
      <b class="cut">
        <Marked text={nameOf(kin)} />
      </b>
      <span class="soft cut">
        {[roleOf(facts), facts.life, facts.pane].filter(Boolean).join(" · ")} <TimeAgo at={facts.updatedAt} />
      </span>
    </div>
  );
}
