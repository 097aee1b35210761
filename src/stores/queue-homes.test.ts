import { describe, expect, test } from "vitest";
import type { PaneAddress, PaneId } from "../names/gates.js";
import {
  heirsOf,
  homesOf,
  isForAwaited,
  type KeptPlaces,
  letGoOf,
  ownedPlace,
  ownerHere,
} from "./queue-homes.js";
import type { MessageId } from "./queue-rows.js";
import type { Message } from "./queues.js";
import type { Owner } from "./receipts.js";

const at = (pane: string) => pane as PaneAddress;

interface Case {
  /** Which message waits where, since when, and whose it is: `%1`, or `%1 9@5` of another server. */
  waiting: Record<string, { at: string; of?: string; second?: number }>;
  /** Where each stands, and where its mark says, if it has one: `t:0.1 t:0.0`. */
  panes: Record<PaneId, string>;
  moves?: Record<string, string>;
  /** Places that are kept for who is brought back, while another tmux session stands since second 10. */
  kept?: string[];
  /** Where each goes; those that are not named stay. A pane that is told is written down. */
  expected: Record<string, string | null>;
}

function given({ waiting, panes, kept = [] }: Omit<Case, "moves" | "expected">) {
  const places: KeptPlaces = {
    kept: new Map(kept.map((place) => [at(place), 10_000])),
    server: { pid: 7, startedAtMs: 5_000 },
    panes: Object.entries(panes).map(([id, place]) => {
      const [, address, marked] = /^(.*?:\S+)(?: (\S+))?$/.exec(place)!;
      return { id: id as PaneId, address: address!, mark: marked ? { address: at(marked) } : null };
    }),
  };
  const messages = Object.entries(waiting).map(
    ([name, each]) =>
      ({ id: `${each.at}@${name}`, pane: at(each.at), stamp: `${each.second ?? 10}` }) as Message,
  );
  const owners = new Map<MessageId, Owner>();
  for (const [name, { at: place, of }] of Object.entries(waiting)) {
    const [id, server = "7@5"] = of?.split(" ") ?? [];
    if (id) owners.set(`${place}@${name}` as MessageId, { id, server } as Owner);
  }
  return { places, messages, owners };
}

function homes(each: Case): Record<string, string | null> {
  const { places, messages, owners } = given(each);
  const found = homesOf(messages, owners, places, new Map(Object.entries(each.moves ?? {})) as never);
  return Object.fromEntries(
    [...found].map(([id, home]) => [
      id.slice(id.indexOf("@") + 1),
      home && [home.pane, home.owner?.id, isLetGo(home.owner) ? "1@0" : ""].filter(Boolean).join(" "),
    ]),
  );
}

const isLetGo = (owner: Owner | null) => owner?.server === "1@0";

const swapped = { "%1": "t:0.1 t:0.0", "%2": "t:0.0 t:0.1" } as const;
const swap = { "t:0.0": "t:0.1", "t:0.1": "t:0.0" };

describe("homes of messages", () => {
  test.each<[string, Case]>([
    [
      "[QH1] follow their panes through a swap",
      {
        waiting: { a: { at: "t:0.0", of: "%1" }, b: { at: "t:0.1", of: "%2" } },
        panes: swapped,
        moves: swap,
        expected: { a: "t:0.1", b: "t:0.0" },
      },
    ],
    [
      "[QH1] are not left again by the same swap, seen twice (incident 45)",
      { waiting: { a: { at: "t:0.1", of: "%1" } }, panes: swapped, moves: swap, expected: {} },
    ],
    [
      "[QH1] are found although nothing is known to have moved (incident 45)",
      { waiting: { a: { at: "t:0.0", of: "%1" } }, panes: swapped, expected: { a: "t:0.1" } },
    ],
    [
      "[QH2] of whom nobody knows go with their address, and are known then",
      {
        waiting: { a: { at: "t:0.0" }, b: { at: "t:0.1", of: "%1 9@5" } },
        panes: swapped,
        moves: swap,
        expected: { a: "t:0.1 %1", b: "t:0.0 %2" },
      },
    ],
    [
      "[QH2] of whom nobody knows are for who was marked there, not for who came to stand there since (incident 45)",
      {
        waiting: { a: { at: "old:0.0" }, b: { at: "old:0.1" }, c: { at: "old:0.2" } },
        panes: { "%1": "new:0.1 old:0.0", "%2": "new:0.0 old:0.1", "%3": "new:0.2" },
        moves: { "old:0.0": "new:0.0", "old:0.1": "new:0.1", "old:0.2": "new:0.2" },
        expected: { a: "new:0.0 %1", b: "new:0.1 %2", c: "new:0.2 %3" },
      },
    ],
    [
      "[QH2] of whom nobody knows stay where nothing moved, and are dead where another came",
      {
        waiting: { a: { at: "t:0.5" }, b: { at: "t:0.1", of: "%1 9@5" } },
        panes: { "%2": "t:0.1" },
        moves: { "t:0.3": "t:0.1" },
        expected: { b: null },
      },
    ],
    [
      "[QH3] of a pane that is gone are dead where another stands, and stay where nobody does",
      {
        waiting: { a: { at: "t:0.1", of: "%1" }, b: { at: "t:0.9", of: "%1" } },
        panes: { "%2": "t:0.1" },
        expected: { a: null },
      },
    ],
    [
      "[QH3] of a pane that no row can name are dead where another stands, and wait for it where nobody does",
      {
        waiting: { a: { at: "t:0.1", of: "%1" }, b: { at: "t:0.9", of: "%1" } },
        panes: { "%1": "no team:0.0", "%2": "t:0.1" },
        expected: { a: null },
      },
    ],
    [
      "[QH6] of a pane that is gone wait at a place that is kept, whoever stands there",
      {
        waiting: { a: { at: "t:0.1", of: "%1" }, b: { at: "t:0.1", of: "%2" }, c: { at: "t:0.1", of: "%3" } },
        panes: { "%2": "t:0.1", "%3": "t:0.0" },
        kept: ["t:0.1"],
        expected: { c: "t:0.0" },
      },
    ],
    [
      "[QH6] of a pane that is gone give way with their row to who comes to stand there, and are let go",
      {
        waiting: { a: { at: "t:0.0", of: "%1" }, b: { at: "t:0.0" }, c: { at: "t:0.1", of: "%2" } },
        panes: { "%2": "t:0.0 t:0.1" },
        moves: { "t:0.1": "t:0.0", "t:0.0": "t:0.1" },
        kept: ["t:0.1"],
        expected: { a: "t:0.1 %1 1@0", b: "t:0.1", c: "t:0.0" },
      },
    ],
    [
      "[QH7] of a pane that came since and is gone are dead, and do not go with the row",
      {
        waiting: { a: { at: "t:0.1", of: "%1", second: 11 }, b: { at: "t:0.0", of: "%1", second: 11 } },
        panes: { "%2": "t:0.0 t:0.5" },
        moves: { "t:0.5": "t:0.0", "t:0.0": "t:0.1" },
        kept: ["t:0.1"],
        expected: { a: null, b: null },
      },
    ],
    [
      "[QH8] of one that stands where no row can name it stay",
      {
        waiting: { a: { at: "t:0.1", of: "%1", second: 20 } },
        panes: { "%1": "my work:0.0 t:0.1", "%2": "t:0.0 t:0.0" },
        kept: ["t:0.1"],
        expected: {},
      },
    ],
    [
      "[QH3] of a pane that is gone do not go with another that was marked there",
      {
        waiting: { a: { at: "t:0.1", of: "%1" } },
        panes: { "%2": "t:0.0 t:0.1" },
        moves: { "t:0.1": "t:0.0" },
        expected: {},
      },
    ],
    [
      "[QH6] that move along with their row are not given to who stands there without a mark",
      {
        waiting: { a: { at: "old:0.0", of: "%9 9@5" } },
        panes: { "%2": "new:0.0" },
        moves: { "old:0.0": "new:0.0" },
        kept: ["new:0.0"],
        expected: { a: "new:0.0" },
      },
    ],
  ])("%s", (_, each) => expect(homes(each)).toEqual(each.expected));
});

test.each<[string, Case["waiting"][string], string | null]>([
  ["of which nobody knows is for who is marked there", { at: "t:0.0" }, "%1"],
  ["of an earlier server, too", { at: "t:0.0", of: "%9 9@5" }, "%1"],
  ["is for who stands at a place without a role", { at: "t:0.1" }, "%2"],
  ["is for nobody who only stands where a role is written down (incident 45)", { at: "t:0.2" }, null],
  ["of another pane stays that one's", { at: "t:0.0", of: "%2" }, null],
])("[QH4] what waits for a team that was brought back %s", (_, message, heir) => {
  const panes = { "%1": "t:0.0 t:0.0", "%2": "t:0.1", "%3": "t:0.2" };
  const { places, messages, owners } = given({ waiting: { a: message }, panes });
  const found = [...heirsOf(messages, owners, places, new Set(["t:0.0", "t:0.2"])).values()];
  expect(found).toEqual(heir === null ? [] : [{ id: heir, server: "7@5" }]);
});

describe("[QH5] before a team is brought back", () => {
  test.each<[string, Case["waiting"], string[]]>([
    ["what waits for a pane that is gone is let go", { a: { at: "t:0.0", of: "%1" } }, ["a"]],
    ["nothing is where another stands by now (incident 45)", { a: { at: "t:0.1", of: "%1" } }, []],
    ["nothing of a pane that lives, wherever it stands", { a: { at: "t:0.0", of: "%2" } }, []],
    ["nothing at another place", { a: { at: "t:0.9", of: "%1" } }, []],
    ["nothing of which no pane is known", { a: { at: "t:0.0" }, b: { at: "t:0.0", of: "%1 9@5" } }, []],
    [
      "what waits at a place that is kept is let go, whoever stands there",
      { a: { at: "t:0.2", of: "%1" } },
      ["a"],
    ],
    ["nothing of who stands there", { a: { at: "t:0.2", of: "%4" } }, []],
    ["nothing of a pane that came since and is gone", { a: { at: "t:0.2", of: "%1", second: 11 } }, []],
  ])("[QH5] [QH6] [QH7] %s", (_, waiting, expected) => {
    const panes = { "%2": "t:0.1", "%3": "no team:0.0", "%4": "t:0.2" };
    const { places, messages, owners } = given({ waiting, panes, kept: ["t:0.2"] });
    const asked = new Set(["t:0.0", "t:0.1", "t:0.2"].map(at));
    const found = letGoOf(messages, owners, places, asked);
    expect([...found.keys()].map((id) => id.split("@")[1])).toEqual(expected);
    for (const [id, owner] of found) {
      expect(ownerHere(owner, places)).toBeNull();
      // Whoever stands there then, it is not dead, and not let go a second time.
      const built = { ...places, panes: [{ id: "%8" as PaneId, address: "t:0.0", mark: null }] };
      expect(ownedPlace(at("t:0.0"), owner, built)).toBeUndefined();
      expect(letGoOf(messages, new Map([[id, owner]]), places, asked).size).toBe(0);
    }
  });
});

test.each<[string, Case["waiting"][string], boolean]>([
  ["of a pane that is gone", { at: "t:0.0", of: "%1" }, true],
  ["of an earlier server", { at: "t:0.0", of: "%2 9@5" }, true],
  ["of which nobody knows", { at: "t:0.0" }, true],
  ["of a pane that no row can name", { at: "t:0.0", of: "%3" }, true],
  ["of who stands there", { at: "t:0.0", of: "%2" }, false],
  ["of a pane that stands elsewhere", { at: "t:0.0", of: "%4" }, false],
  ["at a place that is not kept", { at: "t:0.1", of: "%1" }, false],
  ["of a pane that came since and is gone", { at: "t:0.0", of: "%1", second: 11 }, false],
])("[QH6] [QH7] a message %s waits for who is brought back: %o, %s", (_, message, expected) => {
  const panes = { "%2": "t:0.0", "%3": "no team:0.0", "%4": "t:0.1" };
  const { places, messages, owners } = given({ waiting: { a: message }, panes, kept: ["t:0.0"] });
  const [each] = messages;
  expect(isForAwaited(each!, owners.get(each!.id), places)).toBe(expected);
});
