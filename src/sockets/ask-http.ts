// Asks an HTTP server of this machine, in bounded time. The address is always 127.0.0.1.

import { limits } from "../limits.js";

export interface Asked {
  port: number;
  method: "GET" | "POST" | "PATCH";
  /** Begins with a slash. */
  path: string;
  user: string;
  /** Goes into a header, nowhere else. */
  password: string;
  body?: object;
  timeoutMs?: number;
}

/** `sent` false: no server got the request. Null: it may have got it, and did not answer. */
export type Answered = { sent: true; status: number; body: unknown } | { sent: false; why: string } | null;

export async function askHttp(asked: Asked): Promise<Answered> {
  const { port, method, path, user, password, body, timeoutMs = limits.postTimeoutMs } = asked;
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    return { sent: true, status: response.status, body: text === "" ? null : parsed(text) };
  } catch (error) {
    const code = (error as { cause?: { code?: string } }).cause?.code;
    return code === "ECONNREFUSED" ? { sent: false, why: "nobody listens at its port" } : null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
