// Adds our server to the text of a project's .mcp.json, and removes it.
//
// - Adding, then removing, restores the text byte for byte; what the user changed in between stays.
// - Another server of our name is refused and stays.

import type { Addition } from "../../../base/files/edited-file.js";
import {
  emptyInside,
  emptyJson,
  inserted,
  memberOf,
  memberText,
  refuse,
  removed,
  rootOf,
  styleOf,
} from "../config-file/json-edit.js";
import type { JsonNode, ObjectNode } from "../config-file/json-text.js";
import { isOurEntry, type ServerEntry, serverName } from "./server-entry.js";

export function serverAddition(entry: ServerEntry): Addition {
  return {
    isIn: hasServer,
    added: (text, before) => withServer(text, entry, before),
    removed: withoutServer,
  };
}

function hasServer(text: string): boolean {
  return isOurEntry(standing(text));
}

function withServer(text: string | null, entry: ServerEntry, before: string | null): string {
  const found = text === null ? undefined : standing(text);
  if (text !== null && JSON.stringify(found) === JSON.stringify(entry)) return text;
  if (found !== undefined && !isOurEntry(found)) refuse(`it has another server named ${serverName}`);
  const clean = (text === null ? null : withoutServer(text, before)) ?? emptyJson;
  const { root, servers } = serversIn(clean);
  const style = styleOf(clean);
  if (servers === null) return inserted(clean, root, memberText(key, { [serverName]: entry }, 1, style), 1);
  return inserted(clean, servers, memberText(serverName, entry, 2, style), 2);
}

function withoutServer(text: string, before: string | null): string | null {
  if (!hasServer(text)) return text;
  const old = before === null ? null : { text: before, ...serversIn(before) };
  const { servers } = serversIn(text);
  const at = servers!.children.findLastIndex((member) => member.key === serverName);
  const rest = removed(text, servers!, at, emptyInside(old, old?.servers));
  const left = serversIn(rest);
  if (old?.servers || left.servers!.children.length > 0) return rest;
  const place = left.root.children.findLastIndex((member) => member.key === key);
  const bare = removed(rest, left.root, place, emptyInside(old, old?.root));
  return before === null && bare.trim() === "{}" ? null : bare;
}

const key = "mcpServers";

function serversIn(text: string): { root: ObjectNode; servers: ObjectNode | null } {
  const root = rootOf(text);
  const servers = memberOf(root, key);
  if (servers === null) return { root, servers: null };
  return servers.kind === "object" ? { root, servers } : refuse(`its ${key} are not an object`);
}

/** The server of our name, as a value; undefined if there is none. */
function standing(text: string): unknown {
  const { servers } = serversIn(text);
  const found = servers && memberOf(servers, serverName);
  return found === null ? undefined : plainValue(found);
}

function plainValue(node: JsonNode): unknown {
  if (node.kind === "plain") return node.value;
  if (node.kind === "array") return node.children.map(({ value }) => plainValue(value));
  return Object.fromEntries(node.children.map(({ key: name, value }) => [name, plainValue(value)]));
}
