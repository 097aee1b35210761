// What was done to sizes, in words.

import { UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { SizesApplied } from "../layout/apply-sizes.js";
import type { Size } from "../layout/sizes.js";
import { limits } from "../limits.js";
import { type Output, shown } from "./output.js";

export function sizeText({ width, height }: Size): string {
  return `${width}×${height}`;
}

/** People type x. */
export function sizeTyped(typed: string): Size {
  const [, width, height] = /^([1-9]\d{0,3})[x×]([1-9]\d{0,3})$/.exec(typed)?.map(Number) ?? [];
  if (width !== undefined && Math.max(width, height!) <= limits.layoutSide) return { width, height: height! };
  throw new UsageError(
    `"${harmless(typed)}" is no size: columns x rows, each from 1 to ${limits.layoutSide}`,
    {
      hint: "hivemind size lock web4team 120x40",
    },
  );
}

export function noteSizes({ detached, grown, stuck }: SizesApplied, out: Output): void {
  for (const client of detached) out.print(`detached ${shown(client.name)}, read-only, ${sizeText(client)}`);
  for (const { window, to } of grown)
    out.print(
      `${window.shownBy.map(shown).join(", ")}: ${window.id} from ${sizeText(window)} to ${sizeText(to)}`,
    );
  for (const { window, to } of stuck) {
    out.note(
      `hivemind: ${window.shownBy.map(shown).join(", ")}: ${window.id} does not stay at ${sizeText(to)}`,
    );
    out.note("  see who holds it: hivemind size status");
  }
}
