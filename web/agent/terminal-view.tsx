// The live screen of a pane. It has a chunk of its own: xterm is large.

import "@xterm/xterm/css/xterm.css";
import { type Signal, useSignal } from "@preact/signals";
import { Terminal } from "@xterm/xterm";
import { useEffect, useRef } from "preact/hooks";
import type { PaneEvent, PaneScreen } from "../../src/web/contract.js";
import { serverFacts } from "../fleet/fleet.js";
import { Icon } from "../parts/icon.js";
import { post } from "../server/api.js";
import { follow } from "../server/stream.js";
import { failureOf } from "../server/use-loaded.js";
import { KeySender } from "./key-sender.js";
import { fontSizeFor, screenText } from "./screen-text.js";
import { useStrictElements } from "./strict-elements.js";
import { terminalTheme } from "./terminal-theme.js";

type State = { kind: "opening" | "live" | "gone" } | { kind: "broken"; why: string };

export function TerminalView({ pane, label }: { pane: string; label: string }) {
  const frame = useRef<HTMLElement>(null);
  const state = useSignal<State>({ kind: "opening" });
  const isLarge = useSignal(false);
  const maysType = serverFacts.value?.allowsTyping === true;
  useEffect(() => show(frame.current!, pane, { state, isLarge, maysType }), [pane, maysType, isLarge.value]);
  return (
    <div class="pane-view">
      <div class="pane-bar">
        <StateLine state={state.value} maysType={maysType} />
        <button
          type="button"
          class="pane-size"
          aria-pressed={isLarge.value}
          onClick={() => (isLarge.value = !isLarge.value)}
        >
          {isLarge.value ? "Fit to the page" : "Larger letters"}
        </button>
      </div>
      <section
        ref={frame}
        class="pane-frame"
        aria-label={`Terminal of ${label}`}
        tabIndex={maysType ? -1 : 0}
      />
    </div>
  );
}

function StateLine({ state, maysType }: { state: State; maysType: boolean }) {
  switch (state.kind) {
    case "opening":
      return <span role="status">Opening…</span>;
    case "live":
      return (
        <span>
          <span class="live-dot" aria-hidden="true" />
          live{maysType ? "; what you type goes to the agent" : ", read-only"}
        </span>
      );
    case "gone":
      return (
        <span role="status">
          <Icon name="away" /> The pane is gone.
        </span>
      );
    case "broken":
      return (
        <span role="status">
          <Icon name="warning" /> Not live: {state.why}
        </span>
      );
  }
}

interface Wishes {
  state: Signal<State>;
  isLarge: Signal<boolean>;
  maysType: boolean;
}

const [fontFamily, lineHeight, largeSize] = [
  'ui-monospace, "SF Mono", "JetBrains Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  1.2,
  14,
];

/** Follows the pane into `frame`. Returns the function that ends it. */
function show(frame: HTMLElement, pane: string, { state, isLarge, maysType }: Wishes): () => void {
  const endStrictness = useStrictElements();
  const terminal = new Terminal({
    ...{ fontFamily, lineHeight, theme: terminalTheme, scrollback: 0 },
    ...{ disableStdin: !maysType, cursorInactiveStyle: "outline", minimumContrastRatio: 4.5 },
  });
  terminal.open(frame);
  if (!maysType) terminal.textarea?.setAttribute("tabindex", "-1");
  let last: PaneScreen | null = null;
  const fit = () => {
    if (last === null) return;
    const room = { width: frame.clientWidth - 16, height: Math.max(320, innerHeight * 0.62) };
    terminal.options.fontSize = isLarge.peek() ? largeSize : fontSizeFor(last, room, cellPerSize());
  };
  const resized = new ResizeObserver(fit);
  resized.observe(frame);
  const keys = new KeySender(
    (data) => post(`/panes/${encodeURIComponent(pane)}/keys`, { data }),
    (error) => (state.value = { kind: "broken", why: failureOf(error).message }),
  );
  terminal.onData((data) => void keys.type(data));
  const end = follow(`/panes/${encodeURIComponent(pane)}/stream`, {
    event({ event, data }) {
      const { event: name, data: screen } = { event, data: JSON.parse(data) } as PaneEvent;
      if (name === "gone") {
        state.value = { kind: "gone" };
        end();
        return;
      }
      const isResized = last?.columns !== screen.columns || last?.rows !== screen.rows;
      last = screen;
      if (isResized) {
        fit();
        terminal.resize(screen.columns, screen.rows);
      }
      terminal.write(screenText(screen));
      state.value = { kind: "live" };
    },
    broken: (why) => (state.value = { kind: "broken", why }),
    refused: ({ message, status }) =>
      (state.value = status === 404 ? { kind: "gone" } : { kind: "broken", why: message }),
  });
  return () => {
    end();
    resized.disconnect();
    terminal.dispose();
    endStrictness();
  };
}

/** Of one letter, in parts of the font's size. */
function cellPerSize(): { widthPerSize: number; heightPerSize: number } {
  const context = document.createElement("canvas").getContext("2d")!;
  context.font = `100px ${fontFamily}`;
  return { widthPerSize: context.measureText("W").width / 100, heightPerSize: lineHeight * 1.17 };
}
