import { expect, test } from "vitest";
import { argument, literal } from "./quote.js";

test.each([
  ["plain", "plain"],
  ["#(touch x)", "##(touch x)"],
  ["#{pid}", "##{pid}"],
  ["a#", "a##"],
  ["##", "####"],
  ["a#[b", "a#[b"],
  ["a##[#(x)", "a##[##(x)"],
])("%s is written %s", (text, written) => {
  expect(literal(text)).toBe(written);
});

test.each([
  ["a;", "a\\;"],
  [";", "\\;"],
  ["a\\;", "a\\\\;"],
  ["a;b", "a;b"],
  ["", ""],
])("%s is written %s", (text, written) => {
  expect(argument(text)).toBe(written);
});
