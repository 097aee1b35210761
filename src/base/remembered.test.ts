import { expect, test } from "vitest";
import { limits } from "../limits.js";
import { remembered } from "./remembered.js";

test("a text is worked out once", () => {
  const asked: string[] = [];
  const length = remembered((text) => asked.push(text) && text.length);
  expect([length("a"), length("bb"), length("a")]).toEqual([1, 2, 1]);
  expect(asked).toEqual(["a", "bb"]);
});

test("more texts than fit are still right", () => {
  const twice = remembered((text) => text + text);
  for (let at = 0; at < 2 * limits.rememberedTexts + 1; at++) expect(twice(`${at}`)).toBe(`${at}${at}`);
  expect(twice("0")).toBe("00");
});
