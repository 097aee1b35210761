// The id of an agent: ten characters of a-z and 2-7, never reused. `@<id>` names the agent in a command.

import { randomBytes } from "../base/random.js";

export type AgentId = string & { readonly brand: "AgentId" };

const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
const form = /^[a-z2-7]{10}$/;

export function isAgentId(value: string): value is AgentId {
  return form.test(value);
}

/** Fifty random bits: a collision is less likely than a broken disk. */
export function newAgentId(): AgentId {
  return base32Letters(randomBytes(10)) as AgentId;
}

/** One letter per byte, of which five bits count. */
export function base32Letters(bytes: Uint8Array): string {
  return [...bytes].map((byte) => alphabet[byte & 31]).join("");
}
