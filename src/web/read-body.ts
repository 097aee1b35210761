// The JSON object that a POST carries, bounded in size.

import type { IncomingMessage } from "node:http";
import { UsageError } from "../base/errors.js";
import { limits } from "../limits.js";
import { type Refusal, refuse } from "./access.js";

export type Body = Readonly<Record<string, unknown>>;

export async function readBody(incoming: IncomingMessage): Promise<Body | Refusal> {
  if (Number(incoming.headers["content-length"] ?? 0) > limits.webBodyBytes) return tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The answer needs the connection, which the default would destroy.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limits.webBodyBytes) return tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw new UsageError("the body has no end", { cause: error });
  }
  return objectIn(Buffer.concat(chunks).toString("utf8"));
}

export function isRefusal(body: Body | Refusal): body is Refusal {
  return refused.has(body);
}

/** A body has any keys, so a refusal is known by itself. */
const refused = new WeakSet<object>();

function tooLarge(): Refusal {
  const made = refuse(413, `the body is larger than ${limits.webBodyBytes} bytes`);
  refused.add(made);
  return made;
}

function objectIn(text: string): Body {
  let value: unknown;
  try {
    value = JSON.parse(text === "" ? "{}" : text);
  } catch {
    throw new UsageError("the body is not JSON");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Body;
  throw new UsageError("the body must be a JSON object");
}
