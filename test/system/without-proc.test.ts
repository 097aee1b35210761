import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hivemind } from "../command.js";
import { makeHome, removeHome, type TestHome } from "../home.js";
import { asMac, type MacRan } from "./as-mac.js";

// This runs the Linux programs. What those of macOS print is in fixtures, see docs/platforms.md.
describe.runIf(process.platform === "linux")("without /proc", () => {
  let home: TestHome;

  beforeAll(() => {
    home = makeHome();
    const setup = ["team", "setup", "web", "lead", "builder", "--kind", "demo", "--cwd", home.work];
    expect(hivemind(home, setup)).toMatchObject({ code: 0, stderr: "" });
  });

  afterAll(() => removeHome(home));

  const tables = ({ ps }: MacRan) => ps.filter((call) => call.startsWith("-A "));

  test("a message is sent with one ps for each look, and none for a single process", () => {
    const ran = asMac(home, ["send", "lead", "hello"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("delivered to lead");
    expect(ran.ps.filter((call) => !call.startsWith("-A "))).toEqual([]);
    expect(tables(ran).length).toBeGreaterThan(0);
    expect(tables(ran).length).toBeLessThanOrEqual(ran.looks);
  });

  test("the fleet is shown with two ps: the table, and the variables of the agents", () => {
    const ran = asMac(home, ["status", "web", "--json"]);
    const shown = (stdout: string) =>
      JSON.parse(stdout).teams[0].agents.map(({ role, uuid, activity }: Record<string, string>) => [
        role,
        uuid,
        activity,
      ]);
    expect(shown(ran.stdout)).toEqual(shown(hivemind(home, ["status", "web", "--json"]).stdout));
    expect(tables(ran)).toHaveLength(1);
    expect(ran.ps).toHaveLength(2);
  });

  test("an agent is restarted, and its old process has ended", () => {
    const before = JSON.parse(asMac(home, ["resolve", "builder", "--json"]).stdout);
    expect(asMac(home, ["agent", "restart", "builder", "--yes"])).toMatchObject({ code: 0 });
    const after = JSON.parse(asMac(home, ["resolve", "builder", "--json"]).stdout);
    expect(after).toMatchObject({ pane: before.pane, role: "builder" });
  });

  test("doctor names ps as its source", () => {
    expect(asMac(home, ["doctor"]).stdout).toContain("processes are read from ps");
  });
});
