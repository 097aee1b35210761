// What the explorer shows: the filtered families, their picture, what a search found, and the chosen session.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { LineageGraph } from "../../src/fleet/lineage/lineage-graph.js";
import { changeQuery, query } from "../shell/navigate.js";
import type { Camera } from "./canvas/graph-canvas.js";
import { filtered, foldersOf, found as foundIn, noFilter } from "./choose-sessions.js";
import { everyone, familiesOf, type Kin } from "./graph.js";
import { liveStates } from "./live-states.js";
import { familyPicture } from "./picture/family-picture.js";
import { timePicture } from "./picture/time-picture.js";
import type { Arrangement } from "./toolbar.js";
import { flatRows, treeRows } from "./tree-rows.js";
import { useTextSearch } from "./use-text-search.js";

export function useExplorer(graph: LineageGraph) {
  const camera = useRef<Camera>(null);
  const filter = useSignal(noFilter);
  const arrangement = useSignal<Arrangement>(query.peek().get("by") === "family" ? "family" : "time");
  const typed = useSignal(query.peek().get("find") ?? "");
  const chosenId = useSignal(query.peek().get("session"));
  const closed = useSignal<ReadonlySet<string>>(new Set());
  const inText = useTextSearch(typed);
  useEffect(() => changeQuery("find", typed.value || null), [typed.value]);

  // The right edge of the picture is the moment of the look.
  const { families, nowMs } = useMemo(() => {
    const nowMs = Date.now();
    return { families: familiesOf(graph, nowMs), nowMs };
  }, [graph]);
  const folders = useMemo(() => foldersOf(families), [families]);
  const shown = useMemo(() => filtered(families, filter.value, nowMs), [families, filter.value]);
  const picture = useMemo(() => pictureOf(shown, arrangement.value, nowMs), [shown, arrangement.value]);
  const kin = useMemo(() => new Map(everyone(shown).map((each) => [each.id, each])), [shown]);
  const found = useMemo(
    () => (typed.value.trim() === "" ? null : foundIn([...kin.values()], typed.value, inText.ids)),
    [kin, typed.value, inText.ids],
  );
  const foundIds = useMemo(() => found && new Set(found.map(({ id }) => id)), [found]);
  const rows = useMemo(
    () => (found === null ? treeRows(shown, closed.value) : flatRows(found)),
    [shown, found, closed.value],
  );

  const choose = (next: Kin | null) => {
    chosenId.value = next?.id ?? null;
    changeQuery("session", next?.id ?? null);
  };
  const show = (next: Kin) => {
    choose(next);
    camera.current?.show(next.id);
  };
  /** To the next session that the search found, or the one before. */
  const step = (by: number) => {
    if (found === null || found.length === 0) return;
    const at = found.findIndex(({ id }) => id === chosenId.value);
    show(found[(Math.max(at, by < 0 ? 0 : -1) + by + found.length) % found.length]!);
  };
  const setOpen = (id: string, isOpen: boolean) => {
    const next = new Set(closed.value);
    if (isOpen) next.delete(id);
    else next.add(id);
    closed.value = next;
  };
  return {
    ...{ camera, filter, arrangement, typed, folders, picture, nowMs, found, foundIds, rows },
    ...{ choose, show, step, setOpen, states: liveStates(), isSearching: inText.isSearching },
    chosen: (chosenId.value !== null && kin.get(chosenId.value)) || null,
  };
}

function pictureOf(shown: readonly Kin[], arrangement: Arrangement, nowMs: number) {
  const start = performance.now();
  const picture = arrangement === "time" ? timePicture(shown, nowMs) : familyPicture(shown);
  performance.measure("lineage-layout", { start, end: performance.now() });
  return picture;
}
