import { describe, expect, test } from "vitest";
import {
  around,
  earlier,
  indexOf,
  type Known,
  longer,
  type MessagePage,
  opened,
  shownOf,
  withEarlier,
  withNewest,
} from "./message-pages.js";

/** A conversation of messages at 0, 10, 20 …, one per minute. */
function page(from: number, to: number, total = 1000): MessagePage {
  const messages = Array.from({ length: to - from }, (_, at) => ({
    ...{ place: (from + at) * 10, id: `m${from + at}`, role: "user" as const, isSide: false, blocks: [] },
    at: new Date((from + at) * 60_000).toISOString(),
  }));
  const session = { id: "s", agent: "claude", title: null, cwd: null, model: null };
  return { session, messages, before: from === 0 ? null : from * 10, total };
}
const places = ({ messages }: Known) => messages.map(({ place }) => place / 10);

test("earlier pages come in front, each message once", () => {
  const known = withEarlier(opened(page(10, 12)), page(7, 11));
  expect(places(known)).toEqual([7, 8, 9, 10, 11]);
  expect(known.before).toBe(70);
});

describe("the newest page", () => {
  test("adds what was said since", () => {
    const known = withNewest(opened(page(5, 8, 80)), page(6, 10, 100));
    expect(places(known)).toEqual([5, 6, 7, 8, 9]);
    expect(known.total).toBe(100);
  });

  test("changes nothing if nothing was said", () => {
    const known = opened(page(5, 8, 80));
    expect(withNewest(known, page(5, 8, 80))).toBe(known);
  });

  test("replaces everything if messages between are missing", () => {
    expect(places(withNewest(opened(page(5, 8, 80)), page(20, 22, 220)))).toEqual([20, 21]);
  });
});

describe("the window", () => {
  const known = opened(page(0, 500));

  test("shows everything that was loaded at first", () => expect(shownOf(known)).toHaveLength(500));

  test("is around a message, and grows at both ends until the ends", () => {
    let view = around(known, 200);
    expect(shownOf(view).length).toBeLessThan(200);
    expect(shownOf(view).some(({ id }) => id === "m200")).toBe(true);
    for (let next = earlier(view); next !== null; next = earlier(view)) view = next;
    for (let times = 0; times < 10; times++) view = longer(view);
    expect(shownOf(view)).toHaveLength(500);
    expect(view.until).toBeNull();
  });

  test("stays where it is while earlier messages come", () => {
    const before = around(opened(page(300, 500)), 50);
    const after = withEarlier(before, page(200, 300));
    expect(shownOf(after).at(-1)).toEqual(shownOf(before).at(-1));
  });
});

describe("the message of a link", () => {
  const known = opened(page(10, 20));
  const at = (minutes: number) => new Date(minutes * 60_000).toISOString();

  test.each([
    ["by its id", { message: "m12", at: null }, 2],
    ["by its time", { message: "unknown", at: at(15.5) }, 5],
    ["that may be earlier", { message: null, at: at(3) }, null],
    ["without a usable time", { message: "unknown", at: "never" }, null],
  ])("%s", (_, target, expected) => expect(indexOf(known, target)).toBe(expected));

  test("is the first one if it is older than the conversation", () => {
    expect(indexOf(opened(page(0, 5)), { message: null, at: at(-5) })).toBe(0);
  });
});
