// The cache of the transcript index.

import { shellWord } from "../base/shell-word.js";
import { type Check, warning } from "./check.js";
import { whyUnwritable } from "./writable.js";

export const indexCache: Check = {
  id: "index cache",
  title: "the index of transcripts can be kept",
  look(world) {
    const folder = world.cacheFolder();
    const why = whyUnwritable(folder);
    if (why === null) return [];
    return [warning(`every command reads all transcripts anew: ${why}`, `ls -ld ${shellWord(folder)}`)];
  },
};
