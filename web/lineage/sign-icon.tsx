// The sign of a conversation beside its name: the same form and colour as in the picture.

import type { SessionLife } from "../../src/fleet/lineage/lineage-graph.js";
import { type Beginning, isHollow } from "./canvas/shapes.js";
import "./legend.css";

const outlines: Readonly<Record<Beginning, string>> = {
  new: "M8 3.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8z",
  fork: "M8 3.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8z",
  clear: "M8 3.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8z",
  branch: "M4 4h8v8H4z",
  compact: "M8 2.6L13.4 8 8 13.4 2.6 8z",
  team: "M8 2.8L13 12H3z",
};

export function SignIcon({ beginning, life }: { beginning: Beginning; life: SessionLife }) {
  const isOpen = isHollow(beginning) || life === "gone";
  return (
    <svg class={`sign sign-${life}${isOpen ? " sign-open" : ""}`} viewBox="0 0 16 16" aria-hidden="true">
      {beginning === "fork" && <path class="sign-stem" d="M1.5 0v4a4 4 0 0 0 4 4" />}
      <path d={outlines[beginning]} />
    </svg>
  );
}
