// How full an agent's context is: a bar and the percentage.

import { useEffect, useRef } from "preact/hooks";

export interface Context {
  used: number;
  /** Null if it is unknown. */
  window: number | null;
}

export function ContextBar({ context }: { context: Context | null }) {
  const bar = useRef<HTMLSpanElement>(null);
  const share = shareOf(context);
  useEffect(() => {
    // The content policy allows no style attribute; the property is allowed.
    if (bar.current !== null) bar.current.style.inlineSize = `${Math.min(1, share ?? 0) * 100}%`;
  });
  if (context === null) return null;
  if (share === null) return <span class="context-number numbers">{tokens(context.used)}</span>;
  const level = share >= 0.9 ? "full" : share >= 0.7 ? "high" : "low";
  const percent = Math.round(share * 100);
  return (
    <span class="context" title={`${tokens(context.used)} of ${tokens(context.window!)} tokens`}>
      <span class={`context-bar context-${level}`} aria-hidden="true">
        <span ref={bar} />
      </span>
      <span class="context-number numbers">
        <span class="unseen">context </span>
        {percent}%
      </span>
    </span>
  );
}

/** From 0 to 1, or above if the window is exceeded. */
export function shareOf(context: Context | null): number | null {
  return context === null || context.window === null ? null : context.used / context.window;
}

/** `134k`, `1.2M` */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
