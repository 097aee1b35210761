// Whether a person looks at the viewer in a pane. Pure.

import { viewerName } from "../names/viewer-name.js";
import type { TreeProcess } from "../processes/process.js";

/** A GNU screen at the pane's terminal that was told the viewer's name, alone or as `<pid>.<name>`. */
export function showsViewer(tty: string, tree: readonly TreeProcess[]): boolean {
  const isName = (word: string) => word.replace(/^\d+\./, "") === viewerName;
  return tree.some(
    ({ command, args, isForeground, tty: own }) =>
      command === "screen" && isForeground && own === tty && args.slice(1).some(isName),
  );
}
