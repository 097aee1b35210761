// A value of the API for a view: loaded when first shown, again when the path changes or on request.

import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { ApiError, get } from "./api.js";

export interface Loaded<Value> {
  /** The last answer, also while the next one is awaited. */
  value: Value | null;
  failure: { message: string; hint: string | null } | null;
  isLoading: boolean;
  reload(): void;
}

/** `path` with its query, behind /api/v1; null asks nothing. */
export function useLoaded<Value>(path: string | null): Loaded<Value> {
  const state = useSignal<Omit<Loaded<Value>, "reload"> & { path: string | null }>({
    ...{ value: null, failure: null, isLoading: path !== null, path },
  });
  const latest = useRef<AbortController | null>(null);
  const load = useCallback(async () => {
    latest.current?.abort();
    if (path === null) return;
    const asking = new AbortController();
    latest.current = asking;
    const before = state.peek();
    const value = before.path === path ? before.value : null;
    state.value = { value, failure: null, isLoading: true, path };
    try {
      const answer = await get<Value>(path, {}, asking.signal);
      if (!asking.signal.aborted) state.value = { value: answer, failure: null, isLoading: false, path };
    } catch (error) {
      if (asking.signal.aborted) return;
      state.value = { value, failure: failureOf(error), isLoading: false, path };
    }
  }, [path]);
  useEffect(() => {
    void load();
    return () => latest.current?.abort();
  }, [load]);
  const { value, failure, isLoading } = state.value;
  return { value, failure, isLoading, reload: () => void load() };
}

/** What a person reads about an error; a bug says what it is. */
export function failureOf(error: unknown): { message: string; hint: string | null } {
  if (error instanceof ApiError) return { message: error.message, hint: error.hint };
  return { message: error instanceof Error ? error.message : String(error), hint: null };
}
