// What waits for a person on another host, read from its answer. Pure. Another host wrote it: each field is checked.

import type { Attention } from "../../hive/attention.js";
import { limits } from "../../limits.js";
import { isAgentId } from "../../names/agent-id.js";
import { isPaneId } from "../../names/gates.js";
import { isRequestId, type RequestId } from "../../names/request-id.js";

type Fields = Readonly<Record<string, unknown>>;

/** Items of a form that this version does not know are left out, and counted. */
export function farItems(value: Fields | null): { items: Attention[]; unknown: number } {
  const rows = Array.isArray(value?.items) ? (value.items as unknown[]) : [];
  const items = rows.flatMap((row) => (isFields(row) ? (itemOf(row) ?? []) : []));
  return { items, unknown: rows.length - items.length };
}

/** The same with names that can be typed here. */
export function atHost(item: Attention, host: string): Attention {
  const named = {
    ...item,
    who: `${item.who}@${host}`,
    paneId: item.paneId === null ? null : `${item.paneId}@${host}`,
    agent: item.agent === null ? null : (`${item.agent}@${host}` as typeof item.agent),
  };
  if (named.kind !== "request") return named as Attention;
  return { ...named, request: { ...named.request, id: `${named.request.id}@${host}` as RequestId } };
}

function itemOf(row: Fields): Attention | null {
  const who = text(row.who);
  if (who === null) return null;
  const waiter = {
    ...{ who, team: text(row.team), pane: text(row.pane) },
    agent: typeof row.agent === "string" && isAgentId(row.agent) ? row.agent : null,
    paneId: typeof row.paneId === "string" && isPaneId(row.paneId) ? row.paneId : null,
  };
  const about = text(row.about);
  switch (row.kind) {
    case "request": {
      const request = isFields(row.request) ? requestOf(row.request) : null;
      return request && { ...waiter, kind: "request", request };
    }
    case "dialog":
      return { ...waiter, kind: "dialog", about, rows: Array.isArray(row.rows) ? texts(row.rows) : null };
    case "limited":
    case "error":
    case "crashed":
      return { ...waiter, kind: row.kind, about, until: text(row.until) };
    case "message": {
      const step = (isFields(row.message) && text(row.message.step)) || "uncertain";
      return {
        ...{ ...waiter, kind: "error", until: null },
        about: `a message was not delivered (${step}); look at the inbox of that host`,
      };
    }
    default:
      return null;
  }
}

type RequestItem = Extract<Attention, { kind: "request" }>["request"];

function requestOf(row: Fields): RequestItem | null {
  const id = row.id;
  if (typeof id !== "string" || !isRequestId(id)) return null;
  const questions = Array.isArray(row.questions) ? row.questions.filter(isFields) : [];
  return {
    ...{ id, tool: text(row.tool) ?? "a tool", line: text(row.line) ?? "", lines: texts(row.lines) },
    rules: texts(row.rules),
    subAgent: text(row.subAgent),
    since: text(row.since) ?? "",
    isPlain: row.isPlain === true,
    questions: questions.map((each) => ({
      text: text(each.text) ?? "",
      options: texts(each.options),
      takesSeveral: each.takesSeveral === true,
    })),
  } as unknown as RequestItem;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value.slice(0, limits.fieldLength) : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
