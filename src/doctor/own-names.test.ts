import { expect, test } from "vitest";
import { type NamedProgram, nameFindings } from "./own-names.js";

const self = { path: "/n/lib/node_modules/hivemind/dist/main.cjs", version: "0.2.0" };
const same = (path: string): NamedProgram => ({ path, is: "same" });
const another = (path: string): NamedProgram => ({ path, is: "another" });
const installed = (path: string, version: string): NamedProgram => ({
  ...{ path, version, prefix: "/old" },
  is: "installed",
});

type Named = readonly NamedProgram[];

test.each<[string, Named, Named]>([
  ["it is not in PATH", [], []],
  ["both names are this program", [same("/n/bin/hivemind")], [same("/n/bin/hm")]],
  ["another program comes later", [same("/n/bin/hivemind"), another("/b/hivemind")], []],
  ["a script of a version manager comes first", [{ path: "/v/hivemind", is: "unclear" }], []],
  ["the same version is installed twice", [same("/n/bin/hivemind"), installed("/b/hivemind", "0.2.0")], []],
  ["a clone runs, and its version is installed", [installed("/b/hivemind", "0.2.0")], []],
])("nothing is odd if %s", (_, hivemind, hm) => {
  expect(nameFindings({ hivemind, hm }, self)).toEqual([]);
});

test.each<[string, Named, string, string, string]>([
  [
    "another program comes first",
    [another("/b/hivemind"), same("/n/bin/hivemind")],
    "warning",
    "in your shell, hivemind is another program: /b/hivemind; this one is /n/bin/hivemind",
    'export PATH=/n/bin:"$PATH"; hash -r',
  ],
  [
    "another program has the name, and this one runs from a clone",
    [another("/b/hivemind")],
    "warning",
    `in your shell, hivemind is another program: /b/hivemind; this one is ${self.path}`,
    `alias hivemind='node ${self.path}'`,
  ],
  [
    "an older version comes first",
    [installed("/old/bin/hivemind", "0.1.0"), same("/n/bin/hivemind")],
    "warning",
    "in your shell, hivemind is version 0.1.0 (/old/bin/hivemind); this one is 0.2.0 (/n/bin/hivemind)",
    'export PATH=/n/bin:"$PATH"; hash -r',
  ],
  [
    "an older version is installed, and this one runs from a clone",
    [installed("/old/bin/hivemind", "0.1.0")],
    "warning",
    `in your shell, hivemind is version 0.1.0 (/old/bin/hivemind); this one is 0.2.0 (${self.path})`,
    "npm uninstall --global --prefix /old hivemind; hash -r",
  ],
  [
    "an older version comes later",
    [same("/n/bin/hivemind"), installed("/old/bin/hivemind", "0.1.0")],
    "info",
    "hivemind is installed twice: /n/bin/hivemind (0.2.0) is used, not /old/bin/hivemind (0.1.0)",
    "npm uninstall --global --prefix /old hivemind; hash -r",
  ],
])("%s: both paths and what to type", (_, hivemind, level, message, fix) => {
  expect(nameFindings({ hivemind, hm: [] }, self)).toEqual([{ level, message, fix }]);
});

test.each<[string, Named, string]>([
  ["this program is hivemind", [same("/n/bin/hivemind")], "alias hm=hivemind"],
  ["this program is not in PATH", [], `alias hm='node ${self.path}'`],
])("another hm is named if %s", (_, hivemind, fix) => {
  const found = nameFindings({ hivemind, hm: [another("/b/hm"), same("/n/bin/hm")] }, self);
  expect(found).toEqual([{ level: "info", message: "hm is another program: /b/hm", fix }]);
});
