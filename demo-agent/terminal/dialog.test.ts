import { expect, test } from "vitest";
import { type Dialog, dialogKey } from "./dialog.js";
import type { InputEvent } from "./input.js";

test.each<[InputEvent[], string[]]>([
  [[{ kind: "text", text: "1" }], ["yes"]],
  [[{ kind: "text", text: "2" }], ["always"]],
  [[{ kind: "text", text: "3" }], ["no"]],
  [[{ kind: "enter" }], ["yes"]],
  [[{ kind: "down" }, { kind: "enter" }], ["always"]],
  [[{ kind: "down" }, { kind: "down" }, { kind: "down" }, { kind: "up" }, { kind: "enter" }], ["always"]],
  [[{ kind: "escape" }], ["no"]],
  [[{ kind: "paste", text: "1" }, { kind: "text", text: "hello" }, { kind: "ctrl-u" }], []],
])("%j chooses %j", (events, expected) => {
  const chosen: string[] = [];
  const dialog: Dialog = {
    kind: "permission",
    command: "x",
    selected: 0,
    choose: (choice) => chosen.push(choice),
  };
  for (const event of events) dialogKey(dialog, event);
  expect(chosen).toEqual(expected);
});

test.each<[InputEvent[], (string | undefined)[][]]>([
  [[{ kind: "text", text: "2" }], [["yes", "Blue"]]],
  [[{ kind: "enter" }], [["yes", "Red"]]],
  [[{ kind: "down" }, { kind: "down" }, { kind: "enter" }], [["yes", "Blue"]]],
  [
    [
      { kind: "text", text: "3" },
      { kind: "text", text: "0" },
    ],
    [],
  ],
  [[{ kind: "escape" }], [["no", undefined]]],
])("about a question %j chooses %j", (events, expected) => {
  const chosen: (string | undefined)[][] = [];
  const question = { text: "Which?", options: ["Red", "Blue"] };
  const dialog: Dialog = {
    kind: "question",
    question,
    selected: 0,
    choose: (choice, answer) => chosen.push([choice, answer]),
  };
  for (const event of events) dialogKey(dialog, event);
  expect(chosen).toEqual(expected);
});

test.each<[InputEvent[], boolean[]]>([
  [[{ kind: "enter" }], [false]],
  [[{ kind: "down" }, { kind: "enter" }], [true]],
  [[{ kind: "down" }, { kind: "down" }, { kind: "up" }, { kind: "enter" }], [false]],
  [[{ kind: "down" }, { kind: "escape" }], [false]],
  [
    [
      { kind: "text", text: "2" },
      { kind: "paste", text: "y" },
    ],
    [],
  ],
])("about a held message %j decides %j", (events, expected) => {
  const decided: boolean[] = [];
  const dialog: Dialog = { kind: "held", body: "x", selected: 0, choose: (is) => decided.push(is) };
  for (const event of events) dialogKey(dialog, event);
  expect(decided).toEqual(expected);
});
