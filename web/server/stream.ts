// Follows a stream of the server for as long as it is wanted: a broken one is opened again after a pause.

import { ApiError, ask, token } from "./api.js";
import { EventReader, type ServerEvent } from "./sse.js";

export interface StreamListener {
  opened?(): void;
  event(event: ServerEvent): void;
  /** It is opened again after `retryMs`. */
  broken?(why: string, retryMs: number): void;
  /** The server says that there is nothing to follow; it is not opened again. */
  refused?(error: ApiError): void;
}

const [firstPauseMs, longestPauseMs] = [500, 10_000];
/** The server sends a comment more often than this. A quieter stream is dead, though nothing reported it. */
const silentMs = 25_000;

export function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - 1));
}

/** Returns the function that ends it. */
export function follow(path: string, listener: StreamListener): () => void {
  const ended = new AbortController();
  void run(path, listener, ended.signal);
  return () => ended.abort();
}

async function run(path: string, listener: StreamListener, ended: AbortSignal): Promise<void> {
  let failures = 0;
  while (!ended.aborted) {
    let why = "the server closed the stream";
    try {
      await readOnce(path, ended, {
        ...listener,
        opened: () => {
          failures = 0;
          listener.opened?.();
        },
      });
    } catch (error) {
      if (ended.aborted) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) {
        listener.refused?.(error);
        return;
      }
      why = error instanceof Error ? error.message : String(error);
    }
    if (ended.aborted || token.value === null) return;
    failures++;
    const pauseMs = pauseAfter(failures);
    listener.broken?.(why, pauseMs);
    await pause(pauseMs, ended);
  }
}

async function readOnce(path: string, ended: AbortSignal, listener: StreamListener): Promise<void> {
  const own = new AbortController();
  const end = () => own.abort();
  ended.addEventListener("abort", end);
  let watchdog = setTimeout(end, silentMs);
  try {
    const answer = await ask(path, { signal: own.signal, headers: { accept: "text/event-stream" } });
    if (!answer.ok || answer.body === null) throw await refusal(answer);
    listener.opened?.();
    const reader = new EventReader();
    const chunks = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(end, silentMs);
      for (const event of reader.read(value)) listener.event(event);
    }
  } finally {
    clearTimeout(watchdog);
    ended.removeEventListener("abort", end);
    own.abort();
  }
}

async function refusal(answer: Response): Promise<ApiError> {
  const value = await answer.json().catch(() => null);
  const { message, hint } = value?.error ?? {};
  return new ApiError(
    answer.status,
    message ?? `the server answered with status ${answer.status}`,
    hint ?? null,
  );
}

/** Shorter if the network is back, or a person looks at the page again. */
function pause(ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const done = () => {
      over.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    const { signal } = over;
    ended.addEventListener("abort", done, { signal });
    addEventListener("online", done, { signal });
    addEventListener("hivemind-retry", done, { signal });
    document.addEventListener(
      "visibilitychange",
      () => {
        if (document.visibilityState === "visible") done();
      },
      { signal },
    );
  });
}

/** A person asked for it. */
export function retryNow(): void {
  dispatchEvent(new Event("hivemind-retry"));
}
