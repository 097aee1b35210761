import { expect, test } from "vitest";
import { projectSlug } from "./slug.js";

test.each([
  ["/srv/my dir_é.x", "-srv-my-dir---x"],
  ["/a/b-c", "-a-b-c"],
  ["/a-b/c", "-a-b-c"],
  ["/a.b/c", "-a-b-c"],
  ["/", "-"],
  ["/home/User1/x", "-home-User1-x"],
])("%s has the slug %s (incident 14)", (folder, slug) => {
  expect(projectSlug(folder)).toBe(slug);
});
