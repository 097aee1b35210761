// What waits for a person, on a terminal. Pure: views in, lines out.

import type { Asked } from "../../agents/asked.js";
import { parseUtc } from "../../base/text/utc.js";
import type { RequestView } from "../../fleet/view.js";
import type { Attention } from "../../hive/attention.js";
import { type Colours, shown } from "../output.js";

export interface InboxStyle {
  nowMs: number;
  colours: Colours;
  /** Lines per request. */
  most: number;
  /** Of another host: nobody can go there from here. */
  isFar?: boolean;
}

export function inboxLines(items: readonly Attention[], style: InboxStyle): string[] {
  if (items.length === 0) return ["Nothing waits for you."];
  return items.flatMap((item, at) => [...(at > 0 ? [""] : []), ...itemLines(item, style)]);
}

function itemLines(item: Attention, style: InboxStyle): string[] {
  const { nowMs, colours, most } = style;
  const who = colours.bold(shown(item.who));
  const place = item.pane === null || item.pane === item.who ? "" : ` ${colours.dim(shown(item.pane))}`;
  const isHere = (command: string) => !/^(?:hivemind )?(?:go|agent monitor) /.test(command);
  const next = (...commands: string[]) => {
    const some = style.isFar ? commands.filter(isHere) : commands;
    return colours.dim(some.length === 0 ? "  → answer it on its own host" : `  → ${some.join(" · ")}`);
  };
  const name = item.paneId ?? `@${item.agent}`;
  switch (item.kind) {
    case "request": {
      const { request } = item;
      const age = colours.dim(ago(request.since, nowMs));
      const sub = request.subAgent === null ? "" : " for a sub-agent";
      const asks = request.questions.length > 0 ? "asks you" : `asks to use ${shown(request.tool)}${sub}`;
      const hidden = request.isPlain
        ? []
        : [colours.red("  Its text has control or invisible characters, shown as marks: read it carefully.")];
      return [
        `${colours.yellow("?")} ${who}${place} ${asks} ${age}`,
        ...requestLines(request, most),
        ...hidden,
        request.questions.length > 0
          ? next(`hivemind answer ${request.id} ${request.questions.map(() => "1").join(" ")}`)
          : next(`hivemind approve ${request.id}`, `reject ${request.id}`, ...alwaysHint(request)),
      ];
    }
    case "dialog":
      return [
        `${colours.yellow("?")} ${who}${place} ${shown(item.about)}`,
        ...boxed(item.rows ?? [], most),
        next(...dialogHints(item)),
      ];
    case "limited":
    case "error": {
      const until = item.until === null ? "" : ` until ${item.until}`;
      const what = item.kind === "limited" ? "hit a limit" : "failed";
      return [
        `${colours.red("!")} ${who}${place} ${what}${until}: ${shown(item.about)}`,
        item.kind === "limited"
          ? next(`hivemind go ${name}`)
          : next(`hivemind go ${name}`, `release ${name}`),
      ];
    }
    case "crashed":
      return [
        `${colours.red("✗")} ${who}${place} crashed`,
        next(`hivemind agent restart ${name}`, `agent monitor ${name}`),
      ];
    case "message": {
      const { message, text } = item;
      const what = message.step === "uncertain" ? "may not have arrived at" : "was not delivered to";
      return [
        `${colours.yellow("✉")} a message ${what} ${who}${place} ${colours.dim(ago(message.at, nowMs))}`,
        ...boxed([...(text?.split("\n") ?? []), `(${message.step}: ${message.detail})`], most),
        next(`hivemind send ${name} …`, `seen: hivemind queue clear ${name}`),
      ];
    }
  }
}

/** A request in full, or its first lines and how many there are more. */
export function requestLines({ lines }: Pick<Asked, "lines">, most = Number.POSITIVE_INFINITY): string[] {
  return boxed(lines, most);
}

function boxed(lines: readonly string[], most: number): string[] {
  const visible = lines.slice(0, most).map((line) => `  │ ${shown(line)}`);
  const more = lines.length - visible.length;
  return more > 0 ? [...visible, `  │ … and ${more} more lines: hivemind inbox --whole`] : visible;
}

/** A dialog without rows is none that hivemind can answer. */
function dialogHints({ paneId, rows }: Extract<Attention, { kind: "dialog" }>): string[] {
  if (paneId === null) return ["open its list of agents: claude agents"];
  if (rows === null) return [`hivemind go ${paneId}`];
  return [`hivemind approve ${paneId}`, `reject ${paneId}`, `option ${paneId} N`, `go ${paneId}`];
}

function alwaysHint({ rules, id }: RequestView): string[] {
  return rules.length === 1 ? [`approve ${id} --always (${shown(rules[0]!)})`] : [];
}

function ago(at: string, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - (parseUtc(at) ?? nowMs)) / 1000));
  if (seconds < 120) return `${seconds} s ago`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}
