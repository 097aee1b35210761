// A pane that is too small to show the client's input box, or all options of a dialog.

import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";

type Size = Pick<FleetPane, "sessionName" | "width" | "height" | "windowWidth" | "windowHeight">;

/** Why not everything is seen, with the command that makes it larger; null for a pane that is large enough. */
export function tooSmall(pane: Size): string | null {
  const { sessionName, width, height, windowWidth, windowHeight } = pane;
  if (!(height < limits.boxRows || width < limits.boxColumns)) return null;
  // A pane gets its part of what its window grows by.
  const grown = (window: number, own: number, wanted: number, least: number) =>
    Math.max(least, Math.ceil((window * wanted) / Math.max(1, own)));
  const columns = grown(windowWidth, width, limits.floorWidth, limits.birthWidth);
  const rows = grown(windowHeight, height, limits.roomyRows, limits.birthHeight);
  const size = `${Math.min(columns, limits.layoutSide)}x${Math.min(rows, limits.layoutSide)}`;
  return `its pane is too small, ${width}x${height}: hivemind size lock ${sessionName} ${size}`;
}
