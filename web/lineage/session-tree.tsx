// The list beside the picture: the same sessions as a tree for the keyboard and for screen readers.
//
// Only the rows in sight are elements: three thousand would make the page slow.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Marked } from "../parts/marked.js";
import { TimeAgo } from "../parts/time-ago.js";
import { beginningWords } from "./canvas/shapes.js";
import { isLit, type Kin, nameOf, roleOf } from "./graph.js";
import { SignIcon } from "./sign-icon.js";
import { moveOf, type TreeRow } from "./tree-rows.js";
import "./session-tree.css";

const rowHeight = 46;
const beyond = 6;

export function SessionTree({
  rows,
  chosen,
  choose,
  setOpen,
}: {
  rows: readonly TreeRow[];
  chosen: string | null;
  choose(kin: Kin): void;
  setOpen(id: string, isOpen: boolean): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);
  const at = rows.findIndex(({ kin }) => kin.id === chosen);
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const { current } = box;
    if (at < 0 || current === null) return;
    const place = at * rowHeight;
    if (place < current.scrollTop) current.scrollTop = place - rowHeight;
    else if (place + rowHeight > current.scrollTop + current.clientHeight)
      current.scrollTop = place + 2 * rowHeight - current.clientHeight;
  }, [at]);
  const first = Math.max(0, Math.floor(top.value / rowHeight) - beyond);
  const last = Math.min(rows.length, Math.ceil((top.value + height.value) / rowHeight) + beyond);
  const keys = (event: KeyboardEvent) => {
    const move = moveOf(rows, chosen, event.key);
    if (event.key.startsWith("Arrow") || move !== null) event.preventDefault();
    if (move === null) return;
    if ("to" in move) choose(rows.find(({ kin }) => kin.id === move.to)!.kin);
    else setOpen("open" in move ? move.open : move.close, "open" in move);
  };
  // The chosen row is always an element: screen readers read it while the focus is on the tree.
  const shown = rows.slice(first, last);
  if (at >= 0 && (at < first || at >= last)) shown.push(rows[at]!);
  return (
    <div
      ref={box}
      class="session-tree"
      role="tree"
      aria-label="Conversations"
      tabIndex={0}
      aria-activedescendant={at < 0 ? undefined : rowId(chosen!)}
      onKeyDown={keys}
      onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
    >
      <div class="session-tree-rows" role="none" ref={(element) => setHeight(element, rows.length)}>
        {shown.map((row) => (
          <Row
            key={row.kin.id}
            row={row}
            index={rows.indexOf(row)}
            isChosen={row.kin.id === chosen}
            choose={() => choose(row.kin)}
            setOpen={(isOpen) => setOpen(row.kin.id, isOpen)}
          />
        ))}
      </div>
    </div>
  );
}

function Row({
  row: { kin, level, place, siblings, isOpen },
  index,
  isChosen,
  choose,
  setOpen,
}: {
  row: TreeRow;
  index: number;
  isChosen: boolean;
  choose(): void;
  setOpen(isOpen: boolean): void;
}) {
  const { facts, origin, children } = kin;
  const [role, name] = [roleOf(facts), nameOf(kin)];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    <div
      id={rowId(kin.id)}
      class={`session-row${isLit(facts) ? " session-row-lit" : ""}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isChosen}
      aria-expanded={children.length === 0 ? undefined : isOpen}
      ref={(element) => setPlace(element, index, level)}
      onClick={choose}
    >
      {children.length > 0 && (
        <span
          class={isOpen ? "session-twist session-twist-open" : "session-twist"}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            setOpen(!isOpen);
          }}
        />
      )}
      <SignIcon beginning={origin?.kind ?? "new"} life={facts.life} />
      <span class="session-name cut">
        {role !== null && role !== name && <b>{role} </b>}
        <Marked text={name} />
      </span>
      <span class="session-about cut faint">
        {facts.life}
        {origin !== null && `, ${beginningWords[origin.kind]}`}
        {facts.updatedAt !== null && ", "}
        <TimeAgo at={facts.updatedAt} />
      </span>
    </div>
  );
}

function rowId(id: string): string {
  return `session-${id}`;
}

/** The content policy allows no style attributes; properties are set by script. */
function setHeight(element: HTMLElement | null, rows: number): void {
  if (element !== null) element.style.height = `${rows * rowHeight}px`;
}

function setPlace(element: HTMLElement | null, index: number, level: number): void {
  if (element === null) return;
  element.style.transform = `translateY(${index * rowHeight}px)`;
  element.style.setProperty("--level", String(Math.min(level - 1, 8)));
}
