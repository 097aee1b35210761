// What the server answers with: JSON, failures, and the headers that every answer has.

import { exitCodes, HiveError } from "../base/errors.js";
import { harmlessJson } from "../base/text/escape-terminal.js";
import type { Refusal } from "./access.js";
import type { Failure } from "./contract.js";

/** Nothing but the server's own files runs or loads, nobody frames the page, and nobody learns where it was opened from. */
export const safeHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // No text becomes a script: the page's one policy names its own service worker.
    "require-trusted-types-for 'script'",
    "trusted-types hivemind-worker",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
};

/** Of everything that says something about the fleet. */
export const apiHeaders: Readonly<Record<string, string>> = { ...safeHeaders, "cache-control": "no-store" };

export function jsonAnswer(status: number, value: object, more: Record<string, string> = {}): Response {
  return new Response(harmlessJson(JSON.stringify(value)), {
    status,
    headers: { ...apiHeaders, "content-type": "application/json; charset=utf-8", ...more },
  });
}

export function refusalAnswer(
  { status, message, hint }: Refusal,
  headers: Record<string, string> = {},
): Response {
  return jsonAnswer(status, failure(message, hint), { ...usual[status], ...headers });
}

const usual: Readonly<Record<number, Record<string, string>>> = {
  401: { "www-authenticate": "Bearer" },
  405: { allow: "GET, POST" },
  // What is left of the body is not read.
  413: { connection: "close" },
  429: { "retry-after": "1" },
};

/** `onBug` gets what is not the asker's fault. */
export function errorAnswer(error: unknown, onBug: (error: unknown) => void): Response {
  if (error instanceof HiveError)
    return jsonAnswer(statusOf(error), failure(error.message, error.hint ?? null));
  onBug(error);
  return jsonAnswer(500, failure("this is a bug", "the server's terminal says more"));
}

function failure(message: string, hint: string | null): Failure {
  return { version: 1, error: { message, hint } };
}

function statusOf({ exitCode }: HiveError): number {
  if (exitCode === exitCodes.usage) return 400;
  return exitCode === exitCodes.couldNotLook || exitCode === exitCodes.timedOut ? 503 : 409;
}
