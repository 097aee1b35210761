// A moment as its age; the title has the moment itself.

import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { longAge, shortAge } from "./ago.js";
import { nowMs } from "./clock.js";

export function TimeAgo({ at, form = "short" }: { at: string | null; form?: "short" | "long" }) {
  const atMs = at === null ? Number.NaN : Date.parse(at);
  if (at === null || Number.isNaN(atMs)) return null;
  return (
    <time class="numbers" dateTime={at} title={new Date(atMs).toLocaleString()}>
      <Age sinceMs={atMs} form={form} />
    </time>
  );
}

/** Only a changed text is written, not every tick. */
export function Age({ sinceMs, form }: { sinceMs: number; form: "short" | "long" }) {
  const text = useMemo(
    () => computed(() => (form === "short" ? shortAge : longAge)(nowMs.value - sinceMs)),
    [sinceMs, form],
  );
  return <>{text}</>;
}
