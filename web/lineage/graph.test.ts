import { expect, test } from "vitest";
import { everyone, familiesOf, isLit, nameOf } from "./graph.js";
import { graphWith, minute } from "./sample-graph.js";

const nowMs = 100 * minute;

test("every session is in one family, each before its children", () => {
  const graph = graphWith([
    { id: "a", from: 0, to: 10 },
    { id: "b", from: 5, to: 20, parent: "a" },
    { id: "c", from: 6, to: 7, parent: "b" },
    { id: "d", from: 1, to: 2 },
  ]);
  const families = familiesOf(graph, nowMs);
  expect(families.map(({ id }) => id)).toEqual(["a", "d"]);
  expect(everyone(families).map(({ id, depth }) => `${id}${depth}`)).toEqual(["a0", "b1", "c2", "d0"]);
});

test("siblings are ordered by age", () => {
  const graph = graphWith([
    { id: "a", from: 0, to: 10 },
    { id: "late", from: 9, to: 10, parent: "a" },
    { id: "early", from: 3, to: 10, parent: "a" },
  ]);
  expect(familiesOf(graph, nowMs)[0]!.children.map(({ id }) => id)).toEqual(["early", "late"]);
});

test("a session never begins before its parent, whatever the file times say", () => {
  const graph = graphWith([
    { id: "a", from: 50, to: 60 },
    { id: "b", from: 10, to: 20, parent: "a" },
  ]);
  const [, child] = everyone(familiesOf(graph, nowMs));
  expect([child!.fromMs, child!.toMs]).toEqual([50 * minute, 50 * minute]);
});

test("a gone parent begins with its first child, a gone child with its parent", () => {
  const graph = graphWith([
    { id: "gone", life: "gone" },
    { id: "b", from: 30, to: 40, parent: "gone" },
    { id: "ghost", life: "gone", parent: "b" },
  ]);
  const times = everyone(familiesOf(graph, nowMs)).map(({ id, fromMs }) => [id, fromMs / minute]);
  expect(times).toEqual([
    ["gone", 30],
    ["b", 30],
    ["ghost", 30],
  ]);
});

test("a running session reaches until now", () => {
  const [kin] = familiesOf(graphWith([{ id: "a", from: 1, to: 2, life: "running" }]), nowMs);
  expect(isLit(kin!.facts)).toBe(true);
  expect(kin!.toMs).toBe(nowMs);
});

test("a chain deeper than the call stack is a family", () => {
  const chain = Array.from({ length: 30_000 }, (_, at) => ({
    ...{ id: `s${at}`, from: at, to: at },
    ...(at > 0 ? { parent: `s${at - 1}` } : {}),
  }));
  expect(everyone(familiesOf(graphWith(chain), nowMs)).length).toBe(30_000);
});

test("an edge to an unknown session is ignored", () => {
  const graph = graphWith([{ id: "a", from: 0, to: 1, parent: "nobody" }]);
  expect(familiesOf(graph, nowMs)).toHaveLength(1);
});

test("without a title the role names a session, else the beginning of its id", () => {
  const [plain] = familiesOf(
    graphWith([{ id: "01234567-0000-4000-8000-000000000000", from: 0, to: 1 }]),
    nowMs,
  );
  expect(nameOf(plain!)).toBe("01234567");
  expect(nameOf({ ...plain!, facts: { ...plain!.facts, role: "lead" as never } })).toBe("lead");
});
