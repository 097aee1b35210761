// The GNU screen session that shows every team: `viewer/` runs it, and `fleet/` knows a pane that is attached to it.

export const viewerName = "tronMon";
