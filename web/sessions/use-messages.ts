// The messages of a session for a view: the newest first, earlier ones on demand, new ones while it is open.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get } from "../server/api.js";
import { failureOf } from "../server/use-loaded.js";
import {
  around,
  earlier,
  indexOf,
  type Known,
  longer,
  type MessagePage,
  opened,
  type Target,
  withEarlier,
  withNewest,
} from "./message-pages.js";

export interface Messages {
  known: Known | null;
  session: MessagePage["session"] | null;
  failure: { message: string; hint: string | null } | null;
  isLoading: boolean;
  /** The place of the message that the address names, once it is found. */
  target: number | null;
  showEarlier(): void;
  showLater(): void;
  toEnd(): void;
  retry(): void;
}

const [pageCount, searchCount] = [60, 500];
/** A page has up to a megabyte: a target further back than this is not worth the wait. */
const mostSearchedPages = 60;

/** `news` changes whenever the conversation may have grown. */
export function useMessages(session: string, wanted: Target | null, news: string): Messages {
  const known = useSignal<Known | null>(null);
  const facts = useSignal<MessagePage["session"] | null>(null);
  const failure = useSignal<Messages["failure"]>(null);
  const target = useSignal<number | null>(null);
  const busy = useRef(false);
  const isLoading = useSignal(true);

  const page = async (before: number | null, count: number) => {
    const path = `/sessions/${encodeURIComponent(session)}/messages`;
    const answer = await get<MessagePage>(path, { all: true, count, before });
    facts.value = answer.session;
    return answer;
  };
  /** One at a time: the answers build on each other. */
  const alone = async (work: () => Promise<void>) => {
    if (busy.current) return;
    busy.current = true;
    isLoading.value = true;
    try {
      await work();
      failure.value = null;
    } catch (error) {
      failure.value = failureOf(error);
    } finally {
      busy.current = false;
      isLoading.value = false;
    }
  };
  const start = () =>
    alone(async () => {
      let found = opened(await page(null, wanted === null ? pageCount : searchCount));
      let index = wanted === null ? null : indexOf(found, wanted);
      for (let pages = 1; wanted !== null && index === null && found.before !== null; pages++) {
        if (pages >= mostSearchedPages) break;
        found = withEarlier(found, await page(found.before, searchCount));
        index = indexOf(found, wanted);
      }
      known.value = index === null ? found : around(found, index);
      target.value = index === null ? null : found.messages[index]!.place;
    });
  const refresh = () =>
    alone(async () => {
      if (known.peek() !== null) known.value = withNewest(known.peek()!, await page(null, pageCount));
    });

  useEffect(() => {
    void start();
  }, [session, wanted?.message, wanted?.at]);
  useEffect(() => {
    void refresh();
  }, [news]);
  return {
    ...{ known: known.value, session: facts.value, failure: failure.value, target: target.value },
    isLoading: isLoading.value,
    showEarlier: () => showEarlier(known, alone, page),
    showLater() {
      if (known.value !== null) known.value = longer(known.value);
    },
    toEnd() {
      target.value = null;
      if (known.value !== null) known.value = { ...known.value, until: null };
    },
    retry: () => void start(),
  };
}

function showEarlier(
  known: Signal<Known | null>,
  alone: (work: () => Promise<void>) => Promise<void>,
  page: (before: number | null, count: number) => Promise<MessagePage>,
): void {
  const now = known.peek();
  if (now === null) return;
  const within = earlier(now);
  if (within !== null) known.value = within;
  else if (now.before !== null) {
    void alone(async () => {
      const answer = await page(now.before, pageCount);
      known.value = withEarlier(known.peek()!, answer);
    });
  }
}
