import { expect, test } from "vitest";
import { writtenTeam } from "./written.js";

test("plan shows the arguments of an agent and the names of its environment, never the values", () => {
  const { run } = writtenTeam({
    lead: ['args: ["--add-dir", "/srv/my files"]', "env: { API_TOKEN: canary, ZONE: canary }"],
    plain: [],
  });
  const { code, stdout, stderr } = run("plan");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("      with the arguments --add-dir '/srv/my files'\n");
  expect(stdout).toContain("      with API_TOKEN, ZONE in its environment\n");
  expect(stdout.match(/with the arguments|in its environment/g)).toHaveLength(2);
  const json = run("plan", "--json").stdout;
  expect(stdout + json).not.toContain("canary");
  expect(JSON.parse(json).steps).toMatchObject([
    { agent: "lead", args: ["--add-dir", "/srv/my files"], env: ["API_TOKEN", "ZONE"] },
    { agent: "plain", args: [], env: [] },
  ]);
});
