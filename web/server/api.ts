// Asks the server. A failure is an `ApiError` with the server's own message and hint.

import { signal } from "@preact/signals";
import { apiRoot, type Failure } from "../../src/web/contract.js";

const tokenPlace = "hivemind.token";

/** Null before login and after the server refused the token. */
export const token = signal<string | null>(sessionStorage.getItem(tokenPlace));

export function keepToken(value: string | null): void {
  if (value === null) sessionStorage.removeItem(tokenPlace);
  else sessionStorage.setItem(tokenPlace, value);
  token.value = value;
}

export class ApiError extends Error {
  /** 0 if the server could not be reached. */
  readonly status: number;
  readonly hint: string | null;
  /** What the command said nevertheless: an action may be done in part. */
  readonly value: unknown;

  constructor(status: number, message: string, hint: string | null, value: unknown = null) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.hint = hint;
    this.value = value;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** `path` is behind /api/v1; its parts must be encoded: `/sessions/${encodeURIComponent(id)}`. */
export async function get<Value>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Value> {
  return answerOf(await ask(path + queryText(query), signal === undefined ? {} : { signal }));
}

/** `status` is 202 if a message was queued or held. */
export async function post<Value>(path: string, body: object): Promise<{ status: number; value: Value }> {
  const answer = await ask(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, value: await answerOf<Value>(answer) };
}

/** An answer as it comes, for streams too. */
export async function ask(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token.value !== null) headers.set("authorization", `Bearer ${token.value}`);
  const used = token.value;
  let answer: Response;
  try {
    answer = await fetch(apiRoot + path, { ...init, headers, credentials: "omit", cache: "no-store" });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, "the server does not answer", "is `hivemind serve` still running?");
  }
  // Another login may have replaced the token meanwhile.
  if (answer.status === 401 && used === token.value) keepToken(null);
  return answer;
}

async function answerOf<Value>(answer: Response): Promise<Value> {
  const value = await answer.json().catch(() => null);
  if (answer.ok && value !== null) return value as Value;
  const { error, value: done } = (value ?? {}) as Partial<Failure & { value: unknown }>;
  throw new ApiError(
    answer.status,
    error?.message ?? `the server answered with status ${answer.status}`,
    error?.hint ?? null,
    done ?? null,
  );
}

function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === false ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
