// Tabs, moved between with the arrow keys.

import { useEffect } from "preact/hooks";

export interface Tab<Name extends string> {
  name: Name;
  title: string;
  /** Shown beside the title if above 0. */
  count?: number;
}

export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  choose,
}: {
  label: string;
  tabs: readonly Tab<Name>[];
  chosen: Name;
  choose(name: Name): void;
}) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(({ name }) => name === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    choose(next.name);
    document.getElementById(tabId(next.name))?.focus();
  };
  useEffect(() => {
    document.getElementById(tabId(chosen))?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [chosen]);
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ name, title, count = 0 }) => (
        <button
          key={name}
          id={tabId(name)}
          type="button"
          role="tab"
          class="tab"
          aria-selected={name === chosen}
          aria-controls={name === chosen ? panelId(name) : undefined}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => choose(name)}
        >
          {title}
          {count > 0 && <span class="tab-count numbers">{count}</span>}
        </button>
      ))}
    </div>
  );
}

/** The attributes of the chosen tab's panel. */
export function panelOf(name: string) {
  return { id: panelId(name), role: "tabpanel" as const, "aria-labelledby": tabId(name) };
}

function tabId(name: string): string {
  return `tab-${name}`;
}

function panelId(name: string): string {
  return `panel-${name}`;
}
