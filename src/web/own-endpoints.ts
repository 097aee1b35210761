// The endpoints of the server itself: what it is, and typing into a pane.

import { hostname } from "node:os";
import { UsageError } from "../base/errors.js";
import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import { isPaneId, type PaneId } from "../names/gates.js";
import { typeBytes } from "../tmux/keys.js";
import type { Allowed } from "./access.js";
import type { ServerFacts } from "./contract.js";
import type { Endpoint } from "./endpoint.js";

export interface OwnWorld {
  hive: Pick<Hive, "tmux" | "paths">;
  release: string;
  allowed: Allowed;
  /** `source` is who typed. */
  onTyped(pane: PaneId, source: string): void;
}

export function ownEndpoints({ hive, release, allowed, onTyped }: OwnWorld): readonly Endpoint[] {
  const facts: ServerFacts = {
    version: 1,
    release,
    host: hostname(),
    folder: hive.paths.folder,
    allowsActions: allowed.actions,
    allowsTyping: allowed.actions && allowed.typing,
  };
  return [
    {
      method: "GET",
      path: "/server",
      about: "what this server is and allows",
      needs: "look",
      parameters: [],
      body: null,
      answer: objectOf({
        release: { type: "string" },
        host: { type: "string" },
        folder: { type: "string" },
        allowsActions: { type: "boolean" },
        allowsTyping: { type: "boolean" },
      }),
      run: async () => ({ status: 200, value: facts }),
    },
    {
      method: "POST",
      path: "/panes/{pane}/keys",
      about: "type into a pane, byte for byte",
      needs: "type",
      parameters: [paneParameter],
      body: { type: "object", properties: { data: { type: "string" } }, required: ["data"] },
      answer: objectOf({}),
      async run({ parameters, body, source }) {
        const pane = paneIn(parameters.get("pane"));
        await typeBytes(hive.tmux, pane, bytesIn(body.data));
        onTyped(pane, source);
        return { status: 200, value: { version: 1 } };
      },
    },
  ];
}

export const paneParameter = {
  name: "pane",
  in: "path",
  about: "tmux's id of the pane: %5",
  isRequired: true,
  schema: { type: "string", pattern: "^%[0-9]+$" },
} as const;

export function paneIn(text: string | undefined): PaneId {
  if (text !== undefined && isPaneId(text)) return text;
  throw new UsageError("the pane must be tmux's id of it", { hint: "%5, in an address %255" });
}

function bytesIn(data: unknown): Uint8Array {
  if (typeof data !== "string") throw new UsageError("data must be a string");
  const bytes = Buffer.from(data);
  if (bytes.length <= limits.typedBytes) return bytes;
  throw new UsageError(`data has more than ${limits.typedBytes} bytes`, { hint: "send it in parts" });
}

function objectOf(properties: Readonly<Record<string, unknown>>) {
  const all = { version: { const: 1 }, ...properties };
  return { type: "object", properties: all, required: Object.keys(all) };
}
