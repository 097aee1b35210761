// How much of its context window an agent used over time.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { agentSignal, teams } from "../fleet/fleet.js";
import { counted } from "../parts/ago.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { FailureNotice } from "../parts/notice.js";
import { useLoaded } from "../server/use-loaded.js";
import { ChartPainter } from "./chart-painter.js";
import { type ContextHistory, contextFigures, type Readout, tokenWords } from "./context-figures.js";
import "uplot/dist/uPlot.min.css";
import "./context-chart.css";

/** `name` is an agent or a session. */
export function ContextChart({ name }: { name: string }) {
  const { value, failure, reload } = useLoaded<ContextHistory>(
    `/context/${encodeURIComponent(name)}/history`,
  );
  const used = useComputed(() => usedBy(value?.uuid ?? null));
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) reload();
    isFirst.current = false;
  }, [used.value]);
  if (value === null)
    return failure === null ? (
      <Loading what="the context" />
    ) : (
      <FailureNotice failure={failure} retry={reload} />
    );
  if (value.points.length === 0)
    return (
      <EmptyState icon="low" title="No answer yet.">
        Each answer says how many tokens the conversation uses. The first one begins the chart.
      </EmptyState>
    );
  return <Chart history={value} />;
}

function Chart({ history }: { history: ContextHistory }) {
  const box = useRef<HTMLDivElement>(null);
  const painter = useRef<ChartPainter | null>(null);
  const readout = useSignal<Readout | null>(null);
  useEffect(() => {
    painter.current = new ChartPainter(box.current!, history, (next) => (readout.value = next));
    return () => painter.current?.end();
  }, []);
  useEffect(() => painter.current?.show(history), [history]);
  const { now, peak, percent, compactions } = contextFigures(history);
  const { window, model } = history;
  const { value } = readout;
  const about =
    `${tokenWords(now)} tokens used${window === null ? "" : ` of ${tokenWords(window)}`}, at most ${tokenWords(peak)}. ` +
    `${counted(compactions, "compaction")}.`;
  return (
    <figure class="context-chart card">
      <figcaption class="context-figures">
        <Figure
          term="Now"
          value={tokenWords(now)}
          more={percent === null ? "window unknown" : `${percent} %`}
        />
        <Figure term="Window" value={window === null ? "unknown" : tokenWords(window)} more={model ?? ""} />
        <Figure term="Most" value={tokenWords(peak)} more="in one answer" />
        <Figure term="Compacted" value={compactions === 0 ? "never" : `${compactions} ×`} more="" />
        <p class="context-readout soft numbers">
          {value === null
            ? ""
            : `${value.time}: ${value.used}${value.share === null ? "" : `, ${value.share}`}`}
        </p>
      </figcaption>
      <div ref={box} class="context-plot" role="img" aria-label={about} />
    </figure>
  );
}

function Figure({ term, value, more }: { term: string; value: string; more: string }) {
  return (
    <div class="figure">
      <span class="figure-term faint">{term}</span>
      <span class="figure-value numbers">{value}</span>
      <span class="figure-more faint cut">{more}</span>
    </div>
  );
}

/** The tokens that the fleet shows for this session. Reads signals. */
function usedBy(session: string | null): number | null {
  for (const { agents } of teams.value ?? []) {
    for (const key of agents) {
      const agent = agentSignal(key)?.value;
      if (agent !== undefined && agent.uuid === session) return agent.context?.used ?? null;
    }
  }
  return null;
}
