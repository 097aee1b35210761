// The tmux session that keeps sizes for the viewer (viewer/keeper.ts). Whoever lists teams leaves it out.

import type { TeamName } from "./gates.js";

/** People see it among their sessions: it says what it is for. Not a name that begins with the viewer's. */
export const keeperName = "hivemind-keeps-sizes" as TeamName;
