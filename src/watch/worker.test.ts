import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { HiveError } from "../base/errors.js";
import { atPost } from "./worker.js";

test("if no lock can be made, the watcher reports it and does not start", async () => {
  const { root } = testHome();
  const [link, file] = [join(root, "link"), join(root, "file")];
  symlinkSync(join(root, "none"), link);
  writeFileSync(file, "");
  for (const folder of [link, file])
    await expect(atPost(join(folder, "watch.lock"), () => Promise.reject("watched"))).rejects.toBeInstanceOf(
      HiveError,
    );
});
