// What the signs and lines of the picture mean.

import type { SessionLife } from "../../src/fleet/lineage/lineage-graph.js";
import { type Beginning, beginningWords } from "./canvas/shapes.js";
import { SignIcon } from "./sign-icon.js";

const beginnings: readonly Beginning[] = ["new", "fork", "branch", "clear", "compact", "team"];
const lives: readonly { life: SessionLife; words: string }[] = [
  { life: "running", words: "running" },
  { life: "background", words: "in the background, parked" },
  { life: "saved", words: "saved" },
  { life: "gone", words: "gone" },
];

export function Legend() {
  return (
    <details class="legend">
      <summary>Legend</summary>
      <div class="legend-parts">
        <ul aria-label="How a conversation began">
          {beginnings.map((beginning) => (
            <li key={beginning}>
              <SignIcon beginning={beginning} life="saved" /> {beginningWords[beginning]}
            </li>
          ))}
        </ul>
        <ul aria-label="What it is now">
          {lives.map(({ life, words }) => (
            <li key={life}>
              <span class={`legend-line legend-${life}`} aria-hidden="true" /> {words}
            </li>
          ))}
          <li>
            <span class="legend-mark" aria-hidden="true">
              ◆ 2
            </span>
            compacted twice
          </li>
          <li>
            <span class="legend-dot" aria-hidden="true" />
            point of a fork: click to read it
          </li>
        </ul>
      </div>
    </details>
  );
}
