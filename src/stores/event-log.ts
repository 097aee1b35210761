// The event log: `time|event|arguments`.

import { parseUtc, utcSeconds } from "../base/text/utc.js";
import { formatArguments, type HiveEvent, parseEvent } from "../events/event.js";
import { limits } from "../limits.js";
import { appendFile } from "./file/append-file.js";
import type { Report } from "./file/error.js";
import type { RowFormat } from "./file/row-lines.js";

export interface LoggedEvent {
  /** UTC, `…Z`. */
  at: string;
  event: HiveEvent;
}

export function openEventLog(path: string, report?: Report) {
  const file = appendFile(path, format, { rotateBytes: limits.logRotateBytes, report });
  type Hear = (events: readonly HiveEvent[]) => void;
  const hearers: Hear[] = [];
  return {
    ...file,
    /** Logs events that happened now. */
    async log(events: readonly HiveEvent[]): Promise<void> {
      const at = utcSeconds(Date.now());
      await file.append(events.map((event) => ({ at, event })));
      for (const hear of hearers) hear(events);
    },
    /** Listens to the events that this process logs. The file does not record who wrote a row. */
    onLogged: (hear: Hear) => void hearers.push(hear),
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
