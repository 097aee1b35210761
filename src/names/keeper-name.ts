// The tmux session that keeps sizes for the viewer (viewer/keeper.ts). Lists of teams leave it out.

import type { TeamName } from "./gates.js";

/**
 * Users see it among their tmux sessions, so the name says its purpose. It must not begin with the viewer's name.
 */
export const keeperName = "hivemind-keeps-sizes" as TeamName;
