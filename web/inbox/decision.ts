// Decisions of a person. A list that has just moved takes no click: it was meant for what was there before. A key goes
// to the button that has the focus, wherever that is.

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useAction } from "../server/act.js";
import { hasMoved } from "./moved.js";

/** Long enough for a double click, too short to be noticed by somebody who reads. */
const settleMs = 600;
const isSettling = signal(false);
let timer: ReturnType<typeof setTimeout> | undefined;

/** To be called by each list of things to decide, with what it shows. */
export function useSettling(tags: readonly string[]): void {
  const before = useRef<readonly string[]>([]);
  useLayoutEffect(() => {
    const moved = hasMoved(before.current, tags);
    before.current = tags;
    if (!moved) return;
    isSettling.value = true;
    clearTimeout(timer);
    timer = setTimeout(() => (isSettling.value = false), settleMs);
  }, [tags.join("\n")]);
}

export function useDecision() {
  const { isRunning, act } = useAction();
  return {
    isBusy: isRunning.value || isSettling.value,
    /** `event` is the click on a button of the list itself; null for a form that was opened and filled in. */
    decide: async (event: MouseEvent | null, path: string, body: object, done?: string): Promise<boolean> => {
      const isByPointer = event !== null && event.detail > 0;
      return isByPointer && isSettling.peek() ? false : act(path, body, done);
    },
  };
}
