// The other hosts of the fleet. The page asks for them while somebody looks at it, and only once if there is no fleet.

import { signal } from "@preact/signals";
import type { FleetStatus } from "../../src/cli/fleet/status.js";
import { ApiError, get, token } from "../server/api.js";
import { failureOf } from "../server/use-loaded.js";

export interface HostsRead {
  status: FleetStatus;
  /** By the clock of the browser. Ages count from here: the clocks of other machines may differ. */
  heardMs: number;
}

/** Null until the first answer, and in no fleet. */
export const hostsRead = signal<HostsRead | null>(null);
/** Why the last question failed; null if it did not. */
export const hostsFailure = signal<{ message: string; hint: string | null } | null>(null);

const pollMs = 5000;
/** The login whose server said that its host is in no fleet. */
let aloneFor: string | null = null;

/** Returns the function that ends it. */
export function followHosts(): () => void {
  const ended = new AbortController();
  void run(ended.signal);
  return () => ended.abort();
}

async function run(ended: AbortSignal): Promise<void> {
  while (!ended.aborted && token.peek() !== null && token.peek() !== aloneFor) {
    if (document.visibilityState === "visible") await ask(ended);
    await pause(ended);
  }
}

async function ask(ended: AbortSignal): Promise<void> {
  const login = token.peek();
  try {
    const status = await get<FleetStatus>("/fleet", {}, ended);
    if (status.host === null) aloneFor = login;
    hostsRead.value = status.host === null ? null : { status, heardMs: Date.now() };
    hostsFailure.value = null;
  } catch (error) {
    if (ended.aborted) return;
    // Of a server that does not answer the whole page speaks already.
    const isSilent = error instanceof ApiError && error.status === 0;
    hostsFailure.value = isSilent ? null : failureOf(error);
  }
}

/** Until the next question; a hidden page waits until somebody looks at it again. */
function pause(ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const done = () => {
      if (!ended.aborted && document.visibilityState !== "visible") return;
      over.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, pollMs);
    ended.addEventListener("abort", done, { signal: over.signal });
    document.addEventListener("visibilitychange", done, { signal: over.signal });
  });
}
