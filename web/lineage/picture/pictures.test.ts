import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { familiesOf } from "../graph.js";
import { graphWith, minute, type Sample } from "../sample-graph.js";
import { familyPicture } from "./family-picture.js";
import type { Picture, Placed } from "./picture.js";
import { sizes } from "./picture.js";
import { timePicture } from "./time-picture.js";

const nowMs = 10_000 * minute;
const byTime = (samples: readonly Sample[]) => timePicture(familiesOf(graphWith(samples), nowMs), nowMs);
const byFamily = (samples: readonly Sample[]) => familyPicture(familiesOf(graphWith(samples), nowMs));
const at = ({ nodes }: Picture, id: string): Placed => nodes.find(({ kin }) => kin.id === id)!;

const kinds = ["fork", "branch", "clear", "compact", "team"] as const;
/** Forests of up to 60 sessions in a few folders; each parent comes before its child. */
const forests = fc
  .array(
    fc.record({
      from: fc.nat(9_000),
      length: fc.nat(500),
      parent: fc.option(fc.nat(60), { nil: undefined }),
      kind: fc.constantFrom(...kinds),
      life: fc.constantFrom("saved" as const, "running" as const, "gone" as const),
      cwd: fc.constantFrom("/a", "/b", "/c"),
    }),
    { maxLength: 60 },
  )
  .map((rows) =>
    rows.map(({ parent, length, ...row }, index): Sample => {
      const isChild = parent !== undefined && index > 0;
      return {
        ...row,
        id: `s${index}`,
        to: row.from + length,
        ...(isChild ? { parent: `s${parent % index}` } : {}),
      };
    }),
  );

describe("the picture by time", () => {
  test("older sessions are to the left, and a running one reaches until now", () => {
    const picture = byTime([
      { id: "old", from: 10, to: 20 },
      { id: "new", from: 500, to: 510, life: "running" },
    ]);
    expect(at(picture, "old").x).toBeLessThan(at(picture, "new").x);
    const { x, length } = at(picture, "new");
    expect(x + length).toBeCloseTo(picture.scale!.placeOf(nowMs));
  });

  test("what runs is at the top, however many older sessions overlap with it", () => {
    const old = Array.from({ length: 20 }, (_, index) => ({ id: `old${index}`, from: index, to: 9_000 }));
    const picture = byTime([...old, { id: "new", from: 8_000, to: 9_990, life: "running" }]);
    expect(at(picture, "new").y).toBe(Math.min(...picture.nodes.map(({ y }) => y)));
  });

  test("a fork runs below its parent and leaves it at the last shared message", () => {
    const picture = byTime([
      { id: "a", from: 0, to: 5_000 },
      { id: "b", from: 2_000, to: 3_000, parent: "a", forkedAt: 1_500 },
    ]);
    const [joint] = picture.joints;
    expect(at(picture, "b").y).toBeGreaterThan(at(picture, "a").y);
    expect(joint!.x).toBeCloseTo(picture.scale!.placeOf(1_500 * minute));
    expect(joint!.y).toBe(at(picture, "a").y);
  });

  test("a cleared conversation goes on in the same row", () => {
    const picture = byTime([
      { id: "a", from: 0, to: 5_000 },
      { id: "b", from: 5_001, to: 9_000, parent: "a", kind: "clear" },
    ]);
    expect(at(picture, "b").y).toBe(at(picture, "a").y);
  });

  test("of several forks the newest is nearest to its parent", () => {
    const picture = byTime([
      { id: "a", from: 0, to: 9_000 },
      { id: "old", from: 1_000, to: 8_000, parent: "a" },
      { id: "new", from: 5_000, to: 8_000, parent: "a" },
    ]);
    expect(at(picture, "new").y).toBeLessThan(at(picture, "old").y);
  });

  test("no two lines overlap, and each session is placed once, inside its folder and the picture", () => {
    fc.assert(
      fc.property(forests, (samples) => {
        const picture = byTime(samples);
        expect(picture.nodes.map(({ kin }) => kin.id).sort()).toEqual(samples.map(({ id }) => id).sort());
        for (const y of new Set(picture.nodes.map((node) => node.y))) {
          const row = picture.nodes.filter((node) => node.y === y);
          const sorted = row.toSorted((a, b) => a.x - b.x);
          for (const [index, line] of sorted.entries()) {
            const next = sorted[index + 1];
            if (next === undefined) continue;
            // A session that goes on where its parent ended may touch it.
            const may = next.kin.parent === line.kin ? sizes.shortest : 0;
            expect(line.x + line.length - may).toBeLessThanOrEqual(next.x);
          }
        }
        for (const { x, y } of picture.nodes) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(picture.width);
          expect(picture.sections.some((each) => y > each.y && y < each.y + each.height)).toBe(true);
        }
      }),
    );
  });
});

describe("the picture of families", () => {
  test("children are right of their parents, and siblings below each other", () => {
    const picture = byFamily([
      { id: "a", from: 0, to: 1 },
      { id: "b", from: 1, to: 2, parent: "a" },
      { id: "c", from: 2, to: 3, parent: "a" },
    ]);
    expect(at(picture, "b").x).toBe(at(picture, "a").x + sizes.column);
    expect(at(picture, "c").y).toBeGreaterThan(at(picture, "b").y);
  });

  test("no two sessions share a place", () => {
    fc.assert(
      fc.property(forests, (samples) => {
        const { nodes } = byFamily(samples);
        expect(nodes).toHaveLength(samples.length);
        expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
      }),
    );
  });
});

test("an empty forest is an empty picture", () => {
  expect(byTime([]).nodes).toEqual([]);
  expect(byFamily([]).nodes).toEqual([]);
});
