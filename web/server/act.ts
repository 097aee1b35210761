// Actions of a person: one runs at a time per button group, and what came of it stays to be read.

import { signal, useSignal } from "@preact/signals";
import { ApiError, post } from "./api.js";

/** What an action without a better shape answers. */
export interface Said {
  lines?: readonly string[];
  notes?: readonly string[];
}

export interface Outcome {
  id: number;
  isGood: boolean;
  /** What happened, or why not. */
  lines: readonly string[];
  /** Warnings, or what to do about it. */
  notes: readonly string[];
}

/** The last ones, the newest first. A failure stays until it is closed or pushed out. */
export const outcomes = signal<readonly Outcome[]>([]);
const [mostOutcomes, goodOutcomeMs] = [3, 15_000];
let made = 0;

export function tell(isGood: boolean, lines: readonly string[], notes: readonly string[] = []): void {
  const id = ++made;
  outcomes.value = [{ id, isGood, lines, notes }, ...outcomes.value].slice(0, mostOutcomes);
  if (isGood) setTimeout(() => forget(id), goodOutcomeMs);
}

export function forget(id: number): void {
  outcomes.value = outcomes.value.filter((each) => each.id !== id);
}

/** `isRunning` disables the buttons; `act` resolves to whether it worked. */
export function useAction() {
  const isRunning = useSignal(false);
  const act = async (path: string, body: object, done?: string): Promise<boolean> => {
    if (isRunning.value) return false;
    isRunning.value = true;
    try {
      const { value } = await post<Said>(path, body);
      const { lines = [], notes = [] } = value;
      tell(true, lines.length === 0 && done !== undefined ? [done] : lines, notes);
      return true;
    } catch (error) {
      const hint = error instanceof ApiError && error.hint !== null ? [error.hint] : [];
      tell(false, [error instanceof Error ? error.message : String(error)], hint);
      return false;
    } finally {
      isRunning.value = false;
    }
  };
  return { isRunning, act };
}
