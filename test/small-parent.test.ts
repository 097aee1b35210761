import { expect, test } from "vitest";
import { runSmall } from "./small-parent.js";

const env = { PATH: process.env.PATH! };

test("a program has the given environment and no other, and no input", () => {
  const given = { ...env, QUOTED: `it's "$HOME" and a\nline`, EMPTY: "" };
  const seen = runSmall(["node", "-p", "JSON.stringify(process.env)"], given);
  expect(JSON.parse(seen)).toEqual(given);
  expect(runSmall(["sh", "-c", "cat; echo end"], env)).toBe("end\n");
});

test("one that fails throws with what it printed", () => {
  const fails = () => runSmall(["sh", "-c", "echo out; echo no >&2; exit 3"], env);
  expect(fails).toThrow(expect.objectContaining({ status: 3, stdout: "out\n", stderr: "no\n" }));
});
