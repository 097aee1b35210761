// The keys of the page, as data: the help lists them, and one listener obeys them.

import { signal } from "@preact/signals";
import { routes } from "../routes.js";
import { goTo } from "./navigate.js";
import { to } from "./router.js";

export const isHelpOpen = signal(false);

export interface KeySection {
  title: string;
  keys: readonly { keys: readonly string[]; about: string }[];
}

export const keySections: readonly KeySection[] = [
  {
    title: "Go to",
    keys: routes.flatMap(({ key, title }) => (key === undefined ? [] : [{ keys: ["g", key], about: title }])),
  },
  {
    title: "In a list",
    keys: [
      { keys: ["↓", "j"], about: "the next row" },
      { keys: ["↑", "k"], about: "the row before" },
      { keys: ["Enter"], about: "open it" },
      { keys: ["/"], about: "filter" },
    ],
  },
  {
    title: "Everywhere",
    keys: [
      { keys: ["?"], about: "these keys" },
      { keys: ["Esc"], about: "leave a field, close what is open" },
    ],
  },
];

/** How long `g` waits for its second key. */
const chordMs = 1500;

export function listenToKeys(): void {
  let chordUntilMs = 0;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target, key } = event;
    if (isTyping(target)) {
      if (key === "Escape" && target instanceof HTMLElement && !isTerminal(target)) target.blur();
      return;
    }
    if (document.querySelector("dialog[open]") !== null) return;
    const isChord = event.timeStamp < chordUntilMs;
    chordUntilMs = 0;
    const route = isChord ? routes.find((each) => each.key === key) : undefined;
    if (route !== undefined) goTo(to(route.pattern));
    else if (key === "g") chordUntilMs = event.timeStamp + chordMs;
    else if (key === "?") isHelpOpen.value = true;
    else if (key === "/") focusFilter();
    else if (!moveInList(target, key)) return;
    event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["radio", "checkbox", "button"].includes(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}

/** A terminal gets Escape itself. */
function isTerminal(target: HTMLElement): boolean {
  return target.closest(".xterm") !== null;
}

function focusFilter(): void {
  document.querySelector<HTMLInputElement>("[data-filter]")?.focus();
}

/** Rows of a list have `data-row`; the focus moves between them. */
function moveInList(target: EventTarget | null, key: string): boolean {
  const step = key === "ArrowDown" || key === "j" ? 1 : key === "ArrowUp" || key === "k" ? -1 : 0;
  if (step === 0) return false;
  // Arrow keys belong to a tab list, to radio buttons, and to what scrolls.
  if (target instanceof HTMLElement && target.closest("[role=tablist], input, pre, svg, canvas") !== null)
    return false;
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.findIndex((row) => row === target || row.contains(target as Node | null));
  const next = rows[at < 0 ? (step > 0 ? 0 : -1) : at + step];
  if (next === undefined) return at >= 0;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  return true;
}
