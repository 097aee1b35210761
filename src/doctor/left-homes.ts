// Temporary homes whose demo or probe was killed.

import { findLeftHomes } from "../demo/home.js";
import { type Check, info } from "./check.js";

export const leftHomes: Check = {
  id: "left homes",
  title: "no demo or probe left its home behind",
  look({ temporaryFolder }) {
    const kinds = [
      { purpose: "demo", fix: "hivemind demo --once" },
      { purpose: "probe", fix: "hivemind doctor --probe" },
    ] as const;
    return kinds.flatMap(({ purpose, fix }) =>
      findLeftHomes(purpose, temporaryFolder).map((root) =>
        info(`a ${purpose} that was killed left ${root}`, `the next one takes it away: ${fix}`),
      ),
    );
  },
};
