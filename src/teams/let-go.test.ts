import { expect, test } from "vitest";
import type { PaneAddress, Role, SessionId } from "../names/gates.js";
import { placesBack } from "./let-go.js";
import type { SessionStart } from "./start.js";

const at = (pane: number) => `web:0.${pane}` as PaneAddress;
const [first, second] = ["first" as SessionId, "second" as SessionId];
const role = (pane: number, name: string) => ({ pane: at(pane), role: name as Role, epoch: null });
const step = (pane: number, name: string | null, session: Partial<SessionStart> = {}) => ({
  saved: at(pane),
  role: name as Role | null,
  session: { how: "resume", id: first, ...session } as SessionStart,
});

interface Case {
  starts?: ReturnType<typeof step>[];
  roles?: ReturnType<typeof role>[];
  sessions?: number[];
  last?: Record<PaneAddress, SessionId>;
  isLost?: boolean;
}

test.each<[string, Case, number[]]>([
  [
    "[LG1] of a lost team every place that has a row, whoever comes back there",
    { isLost: true, roles: [role(0, "lead"), role(1, "dev")], sessions: [1, 2], starts: [step(0, "dev")] },
    [0, 1, 2],
  ],
  [
    "[LG2] of a team that runs the place whose row has the name of who comes back to it",
    { roles: [role(0, "lead"), role(1, "dev")], sessions: [0, 1], starts: [step(1, "dev")] },
    [1],
  ],
  [
    "[LG2] of a team that runs no place of another, and none of its own elsewhere",
    { roles: [role(0, "lead"), role(1, "dev")], sessions: [0, 1], starts: [step(0, "dev"), step(2, "lead")] },
    [],
  ],
  [
    "[LG3] the place of an agent without a name, in the conversation that was there last or a fork of it",
    {
      starts: [step(0, null), step(1, null, { how: "fork", id: second, parent: first })],
      last: { [at(0)]: first, [at(1)]: first },
    },
    [0, 1],
  ],
  [
    "[LG3] no place where another conversation was last, or none was seen",
    { isLost: true, starts: [step(0, null), step(1, null)], last: { [at(0)]: second } },
    [],
  ],
])("%s", (_, { starts = [], roles = [], sessions = [], last = {}, isLost = false }, expected) => {
  const rows = sessions.map((pane) => ({ pane: at(pane), uuid: second }));
  const lastSeenIn = (pane: PaneAddress) => last[pane] ?? null;
  expect(placesBack(starts, { roles, sessions: rows, lastSeenIn, isLost })).toEqual(expected.map(at));
});
