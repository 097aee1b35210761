// The GNU screen session that shows every team. `viewer/` runs it, and `fleet/` recognises a pane attached to it.

export const viewerName = "tronMon";
