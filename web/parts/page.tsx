// The frame of a view: its one h1, a line about it, its actions, its contents. The h1 has the focus after navigation.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export function Page({
  title,
  about,
  actions,
  isWide = false,
  children,
}: {
  title: ComponentChildren;
  about?: ComponentChildren;
  actions?: ComponentChildren;
  /** Uses the whole width: graphs and terminals. */
  isWide?: boolean;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div class={isWide ? "page page-wide" : "page"}>
      <header class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about !== undefined && <p class="soft">{about}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
