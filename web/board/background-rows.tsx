// Conversations that run without a pane.

import type { BackgroundView } from "../../src/fleet/view.js";
import { background } from "../fleet/fleet.js";
import { ContextBar } from "../parts/context-bar.js";
import { Marked } from "../parts/marked.js";
import { StateMark } from "../parts/state-mark.js";
import { to } from "../shell/router.js";
import { shortModel } from "./board-rows.js";
import { filter, group } from "./board-state.js";

export function BackgroundRows() {
  const wanted = filter.value.toLowerCase();
  const jobs = background.value.filter(
    ({ name, job, activity }) =>
      (name ?? job).toLowerCase().includes(wanted) &&
      (group.value === null || (group.value === "waiting" && activity === "waiting")),
  );
  if (jobs.length === 0) return null;
  return (
    <section class="team" aria-label="Background conversations">
      <header class="team-head">
        <h2>In the background</h2>
        <span class="faint cut team-about">conversations without a pane</span>
      </header>
      <ul class="card agent-rows">
        {jobs.map((job) => (
          <BackgroundRow key={job.job} job={job} />
        ))}
      </ul>
    </section>
  );
}

function BackgroundRow({ job }: { job: BackgroundView }) {
  const { uuid, name, activity, waitingFor, model, context, cwd } = job;
  return (
    <li class={activity === "waiting" ? "agent-row agent-waiting" : "agent-row"}>
      <StateMark state={activity} />
      <span class="agent-name">
        <a class="agent-link" data-row href={to("/sessions/:ref", { ref: uuid })}>
          <Marked text={name ?? job.job} />
        </a>
        <span class="faint cut mono agent-place">{job.job}</span>
      </span>
      <span class="agent-words soft cut">
        <Marked text={waitingFor ?? cwd ?? ""} />
      </span>
      <span class="agent-model faint cut">{shortModel(model)}</span>
      <span class="agent-context">
        <ContextBar context={context} />
      </span>
    </li>
  );
}
