// The log of what happened: `time|event|arguments`.

import { parseUtc, utcSeconds } from "../base/utc.js";
import { formatArguments, type HiveEvent, parseEvent } from "../events/event.js";
import { limits } from "../limits.js";
import { type AppendFile, appendFile } from "./append-file.js";
import type { Report } from "./error.js";
import type { RowFormat } from "./row-lines.js";

export interface LoggedEvent {
  /** UTC, `…Z`. */
  at: string;
  event: HiveEvent;
}

export interface EventLog extends AppendFile<LoggedEvent> {
  /** For the bus: these happened now. */
  log(events: readonly HiveEvent[]): Promise<void>;
  /** Hears what this process logs: the file does not say who wrote a row. */
  onLogged(hear: (events: readonly HiveEvent[]) => void): void;
}

export function openEventLog(path: string, report?: Report): EventLog {
  const file = appendFile(path, format, { rotateBytes: limits.logRotateBytes, report });
  const hearers: ((events: readonly HiveEvent[]) => void)[] = [];
  return {
    ...file,
    async log(events) {
      const at = utcSeconds(Date.now());
      await file.append(events.map((event) => ({ at, event })));
      for (const hear of hearers) hear(events);
    },
    onLogged: (hear) => void hearers.push(hear),
  };
}

const format: RowFormat<LoggedEvent> = {
  rule: "a row is time|event|arguments",
  parse(line) {
    const [at = "", name = "", ...rest] = line.split("|");
    if (parseUtc(at) === null || rest.length !== 1) return this.rule;
    const event = parseEvent(name, rest[0]!);
    return typeof event === "string" ? event : { at, event };
  },
  format: ({ at, event }) => `${at}|${event.name}|${formatArguments(event)}`,
  key: ({ at }) => at,
};
