// Which conversations contain a text: asked from the server a moment after the last key.

import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { get } from "../server/api.js";

interface SearchAnswer {
  sessions: readonly { id: string }[];
}

const pauseMs = 350;
/** Shorter texts are in almost every conversation. */
const shortest = 3;
const nobody: ReadonlySet<string> = new Set();

export function useTextSearch(typed: Signal<string>): { ids: ReadonlySet<string>; isSearching: boolean } {
  const state = useSignal({ ids: nobody, isSearching: false });
  useSignalEffect(() => {
    const text = typed.value.trim();
    const asking = new AbortController();
    state.value = { ids: nobody, isSearching: text.length >= shortest };
    if (text.length < shortest) return;
    const timer = setTimeout(async () => {
      const answer = await get<SearchAnswer>("/sessions/search", { text, all: true }, asking.signal).catch(
        () => null,
      );
      if (asking.signal.aborted) return;
      state.value = { ids: new Set(answer?.sessions.map(({ id }) => id)), isSearching: false };
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  });
  return state.value;
}
