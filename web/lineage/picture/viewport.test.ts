import { describe, expect, test } from "vitest";
import { familiesOf } from "../graph.js";
import { graphWith, minute } from "../sample-graph.js";
import { timePicture } from "./time-picture.js";
import {
  centredOn,
  fitted,
  held,
  hitAt,
  opening,
  panned,
  partOf,
  visibleJoints,
  visibleNodes,
  zoomed,
} from "./viewport.js";

const nowMs = 10_000 * minute;
const picture = timePicture(
  familiesOf(
    graphWith([
      { id: "a", from: 0, to: 5_000 },
      { id: "b", from: 4_000, to: 9_000, parent: "a", forkedAt: 3_000 },
      { id: "c", from: 100, to: 200 },
    ]),
    nowMs,
  ),
  nowMs,
);
const screen = { width: 900, height: 500 };
const same = { x: 0, y: 0, k: 1 };
const node = (id: string) => picture.nodes.find(({ kin }) => kin.id === id)!;

test("a fitted picture is on the screen", () => {
  const view = fitted(picture, screen);
  const part = partOf(view, screen);
  expect(part.left).toBeLessThanOrEqual(0);
  expect(part.top).toBeLessThanOrEqual(0);
  expect(part.right).toBeGreaterThanOrEqual(picture.width);
  expect(part.bottom).toBeGreaterThanOrEqual(picture.height);
});

test("a picture that is too large for names opens at its newest part", () => {
  const large = { ...picture, width: 9_000, height: 9_000 };
  const view = opening(large, screen);
  expect(view.k).toBeGreaterThan(fitted(large, screen).k);
  expect(9_000 * view.k + view.x).toBeLessThan(screen.width);
});

test("zooming keeps what is under the pointer", () => {
  const view = { x: 40, y: -30, k: 0.8 };
  const at = { x: 300, y: 200 };
  const next = zoomed(view, 1.5, at, picture, screen);
  expect((at.x - next.x) / next.k).toBeCloseTo((at.x - view.x) / view.k);
  expect(next.k).toBeCloseTo(1.2);
  expect(zoomed(view, 1000, at, picture, screen).k).toBe(3);
});

test("the picture cannot be lost beside the screen", () => {
  const view = held(panned(same, 99_999, -99_999), picture, screen);
  const part = partOf(view, screen);
  expect(part.left).toBeLessThan(picture.width);
  expect(part.right).toBeGreaterThan(0);
  expect(part.top).toBeLessThan(picture.height);
});

test("a session that is shown is on the screen, at a readable size", () => {
  const view = centredOn(node("b"), { x: 0, y: 0, k: 0.1 }, screen);
  expect(view.k).toBe(1);
  const part = partOf(view, screen);
  expect(node("b").x).toBeGreaterThan(part.left);
  expect(node("b").y).toBeGreaterThan(part.top);
  expect(node("b").y).toBeLessThan((part.top + part.bottom) / 2);
});

describe("what is visible", () => {
  test("is everything if the whole picture is", () => {
    const part = partOf(fitted(picture, screen), screen);
    expect(visibleNodes(picture.nodes, part)).toHaveLength(3);
    expect(visibleJoints(picture.joints, part)).toHaveLength(1);
  });

  test("is nothing far away", () => {
    const part = { left: 5_000, right: 6_000, top: 5_000, bottom: 6_000 };
    expect(visibleNodes(picture.nodes, part)).toEqual([]);
    expect(visibleJoints(picture.joints, part)).toEqual([]);
  });
});

describe("a click", () => {
  test("on a line means its session", () => {
    const { x, y, length } = node("a");
    expect(hitAt(picture, same, { x: x + length * 0.8, y: y + 3 })).toEqual({ node: node("a") });
  });

  test("on the point of a fork means the fork", () => {
    const [joint] = picture.joints;
    expect(hitAt(picture, same, { x: joint!.x, y: joint!.y })).toEqual({ joint });
  });

  test("beside everything means nothing", () => {
    expect(hitAt(picture, same, { x: picture.width + 300, y: picture.height + 300 })).toBeNull();
  });

  test("is found where the view has moved it", () => {
    const { x, y } = node("c");
    const view = { x: 100, y: 50, k: 2 };
    expect(hitAt(picture, view, { x: x * 2 + 100, y: y * 2 + 50 })).toEqual({ node: node("c") });
  });
});
