// The page #/lineage: every conversation and whom it came from.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LineageGraph } from "../../src/fleet/lineage/lineage-graph.js";
import { counted } from "../parts/ago.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { useLoaded } from "../server/use-loaded.js";
import { goTo } from "../shell/navigate.js";
import { type Camera, GraphCanvas, type Hover } from "./canvas/graph-canvas.js";
import { isLit } from "./graph.js";
import { HoverNote } from "./hover-note.js";
import { Legend } from "./legend.js";
import { liveStates } from "./live-states.js";
import { forkAddress, SessionCard } from "./session-card.js";
import { SessionTree } from "./session-tree.js";
import { Toolbar } from "./toolbar.js";
import { useExplorer } from "./use-explorer.js";
import "./lineage.css";

export function LineagePage() {
  const graph = useLoaded<LineageGraph>("/lineage?all=true");
  const states = useComputed(liveStates);
  // Another session in the fleet: a fork, a clear, a new agent.
  const held = useComputed(() => [...states.value.keys()].sort().join());
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && held.value !== "") graph.reload();
    isFirst.current = false;
  }, [held.value]);
  const { value, failure } = graph;
  const lit = value?.nodes.filter(isLit).length ?? 0;
  const about = value && `${counted(value.nodes.length, "conversation")}, ${lit} of them running`;
  return (
    <Page title="Lineage" about={about ?? "Every conversation, and whom it came from"} isWide>
      {failure !== null && <FailureNotice failure={failure} retry={graph.reload} />}
      {value === null && failure === null && <Loading what="the conversations" />}
      {value !== null && value.nodes.length === 0 && (
        <EmptyState icon="lineage" title="No conversations yet." command="hivemind demo">
          Each conversation that an agent begins appears here, with the one it came from.
        </EmptyState>
      )}
      {value !== null && value.nodes.length > 0 && <Explorer graph={value} />}
    </Page>
  );
}

function Explorer({ graph }: { graph: LineageGraph }) {
  const explorer = useExplorer(graph);
  const { camera, picture, nowMs, found, chosen, choose, show, states, typed, arrangement, filter } =
    explorer;
  const hover = useSignal<Hover>(null);
  const which = (activity: string) =>
    new Set([...states].filter(([, state]) => state.activity === activity).map(([id]) => id));
  return (
    <div class="lineage">
      <Toolbar
        {...{ typed, arrangement, filter }}
        step={explorer.step}
        folders={explorer.folders}
        foundCount={found?.length ?? null}
        isSearching={explorer.isSearching}
        at={found === null ? -1 : found.findIndex(({ id }) => id === chosen?.id)}
      />
      <div class="lineage-stage">
        <GraphCanvas
          {...{ picture, nowMs, camera, choose }}
          found={explorer.foundIds}
          chosen={chosen?.id ?? null}
          waiting={which("waiting")}
          busy={which("busy")}
          hover={(next) => (hover.value = next)}
          openJoint={({ child }) => goTo(forkAddress(child.kin) ?? `#/sessions/${child.kin.parent!.id}`)}
        />
        <HoverNote hover={hover} />
        {picture.nodes.length === 0 && <p class="lineage-nothing">No conversation fits this filter.</p>}
        <ZoomButtons camera={camera} />
        <Legend />
        {chosen !== null && (
          <SessionCard kin={chosen} state={states.get(chosen.id)} choose={show} close={() => choose(null)} />
        )}
      </div>
      <SessionTree
        rows={explorer.rows}
        chosen={chosen?.id ?? null}
        choose={show}
        setOpen={explorer.setOpen}
      />
    </div>
  );
}

function ZoomButtons({ camera }: { camera: { current: Camera | null } }) {
  return (
    <div class="zoom-buttons">
      <button type="button" aria-label="Zoom in" onClick={() => camera.current?.zoom(1.4)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => camera.current?.zoom(1 / 1.4)}>
        −
      </button>
      <button type="button" aria-label="Show all" onClick={() => camera.current?.fit()}>
        ⤢
      </button>
    </div>
  );
}
