// axe-core on every view, in both themes and sizes: nothing serious.

import { afterAll, beforeAll, expect, test } from "vitest";
import { allViews, open } from "./all-views.js";
import { seriousOn } from "./axe.js";
import { openStage, type Size, type Stage } from "./driver.js";
import { rowOf } from "./find-parts.js";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ roles: ["lead", "builder", "tester"] });
  stage.run("send", "lead", "--wait", "plan the checkout [usage 61000]");
  stage.run("agent", "fork", "lead", "--as", "second", "--team", "shop");
  stage.run("init");
  stage.run("send", "builder", "check it [ask npm run check]");
  stage.run("send", "tester", "choose [choose Which colour? | Red | Blue]");
  await stage.becomes("tester", "waiting");
});
afterAll(() => stage.close());

test.each<[Size, "light" | "dark"]>([
  ["desktop", "light"],
  ["desktop", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
])("on a %s in %s colours axe finds nothing serious, in any view", async (size, theme) => {
  const page = await stage.visit({ size, theme });
  await rowOf(page, "lead").waitFor();
  const found: Record<string, string[]> = {};
  for (const view of allViews(stage, "lead")) {
    await open(page, view);
    const serious = await seriousOn(page);
    if (serious.length > 0) found[view.route] = serious;
  }
  expect(found).toEqual({});
});

test("the page for a person without access has nothing serious either", async () => {
  const page = await stage.visit({ address: stage.serve.origin });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await seriousOn(page)).toEqual([]);
});
