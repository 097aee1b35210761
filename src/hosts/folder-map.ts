// Folders that have another path on the other host: `--map FROM=TO`. Pure.
//
// The longest FROM that is the folder or a parent of it applies, once; whole names only. A map must be two absolute
// paths.

import type { FolderMove } from "../agents/claude/transcript/moved-lines.js";
import { UsageError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { isField } from "../names/gates.js";

export function parseMaps(typed: readonly string[]): FolderMove[] {
  return typed.map((text) => {
    const [, from, to] = /^(\/.*?)=(\/.*)$/.exec(text) ?? [];
    if (from === undefined || to === undefined || !isField(text)) {
      throw new UsageError(`--map must be FROM=TO, two absolute paths, not "${harmless(text)}"`, {
        hint: "--map /home/ann/src=/srv/src",
      });
    }
    return { from: trimmed(from), to: trimmed(to) };
  });
}

export function mapped(folder: string, maps: readonly FolderMove[]): string {
  const isAbove = ({ from }: FolderMove) => folder === from || folder.startsWith(`${from}/`);
  const [nearest] = maps.filter(isAbove).sort((a, b) => b.from.length - a.from.length);
  return nearest === undefined ? folder : `${nearest.to}${folder.slice(nearest.from.length)}` || "/";
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, "");
}
