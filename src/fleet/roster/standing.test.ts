import { expect, test } from "vitest";
import type { PaneId } from "../../names/gates.js";
import { parseSeat } from "../../names/seat.js";
import { type Seats, standingOf } from "./settle.js";

const here = parseSeat("/s,7,100/%1")!.server;
const seats = (server: Seats["server"], ...living: number[]): Seats => ({
  server,
  panes: new Set<PaneId>(["%1", "%2"]),
  isLiving: ({ pid }) => living.includes(pid),
});

test.each([
  ["[RST1] its pane is listed", "/s,7,100/%1", seats(here), "present"],
  ["[RST1] the socket has another path", "/t,7,100/%1", seats(here), "present"],
  ["[RST2] another server has it, and lives", "/t,8,100/%1", seats(here, 8), "elsewhere"],
  ["[RST2] no server runs here, and its own lives", "/t,8,100/%1", seats(null, 8), "elsewhere"],
  ["[RST3] its pane was closed", "/s,7,100/%9", seats(here, 7), "away"],
  ["[RST3] its server is gone", "/s,8,100/%1", seats(here), "away"],
  ["[RST3] a later server has the same pid", "/s,7,99/%1", seats(here), "away"],
  ["[RST3] no server runs", "/s,7,100/%1", seats(null), "away"],
  ["[RST3] a server of another container has its pid and its start", "/s,7.42,100/%1", seats(here), "away"],
  ["[RST3] it never had a seat", "", seats(here), "away"],
] as const)("%s: %s", (_, seat, seen, standing) => {
  expect(standingOf({ seat: parseSeat(seat) }, seen)).toBe(standing);
});
