// Exchanges the one-time secret of the printed address for a token.

import { signal } from "@preact/signals";
import type { LoginAnswer } from "../../src/web/contract.js";
import { keepToken, post } from "./api.js";
import { failureOf } from "./use-loaded.js";

/** Why the last login failed. */
export const loginFailure = signal<{ message: string; hint: string | null } | null>(null);

/** `#secret=…` or a secret after a route: `#/inbox?secret=…`; null if there is none. */
export function secretIn(fragment: string): string | null {
  const found = /^#?(?:[^?]*\?)?secret=([A-Za-z0-9_-]+)$/.exec(fragment);
  return found?.[1] ?? null;
}

/** Takes the secret out of the address first: it must not stay in the history. */
export async function loginFromAddress(): Promise<void> {
  const secret = secretIn(location.hash);
  if (secret === null) return;
  history.replaceState(null, "", location.pathname);
  await login(secret);
}

/** A whole link, or its secret alone; null if it is neither. */
export function secretOfLink(typed: string): string | null {
  const text = typed.trim();
  const fragment = /#.*$/s.exec(text)?.[0];
  if (fragment !== undefined) return secretIn(fragment);
  return /^[A-Za-z0-9_-]{20,}$/.test(text) ? text : null;
}

export async function login(secret: string): Promise<void> {
  try {
    const { value } = await post<LoginAnswer>("/login", { secret });
    keepToken(value.token);
    loginFailure.value = null;
  } catch (error) {
    loginFailure.value = failureOf(error);
  }
}
