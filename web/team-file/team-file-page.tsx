// The page #/team-file: the team file, and beside it what `hivemind reload` would do about it.

import { useSignal } from "@preact/signals";
import { counted } from "../parts/ago.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { useLoaded } from "../server/use-loaded.js";
import { PlanSteps } from "./plan-steps.js";
import { lineOfAgent, type TeamPlan } from "./plan-words.js";
import "./team-file.css";

interface TeamFileText {
  path: string;
  text: string;
}

export function TeamFilePage() {
  const file = useLoaded<TeamFileText>("/plan/file");
  const plan = useLoaded<TeamPlan>("/plan");
  const marked = useSignal<number | null>(null);
  if (file.value === null) {
    return (
      <Page title="Team file" about="The team that a folder should have, written down">
        {file.failure === null ? <Loading what="the team file" /> : <Missing failure={file.failure} />}
      </Page>
    );
  }
  const { path, text } = file.value;
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <Page
      title="Team file"
      about={
        <span class="mono">
          <Marked text={path} />
        </span>
      }
      isWide
    >
      <div class="team-file">
        <figure class="file card">
          <figcaption class="unseen">{path}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre tabIndex={0}>
            {lines.map((line, at) => (
              <code class={marked.value === at ? "file-line file-line-marked" : "file-line"}>
                <span class="file-number" aria-hidden="true">
                  {at + 1}
                </span>
                <Line text={line} />
                {"\n"}
              </code>
            ))}
          </pre>
          <p class="file-about faint">{counted(lines.length, "line")}</p>
        </figure>
        <section class="file-plan" aria-labelledby="file-plan-title">
          {plan.failure !== null && <FailureNotice failure={plan.failure} retry={plan.reload} />}
          {plan.value === null && plan.failure === null && <Loading what="the plan" />}
          {plan.value !== null && (
            <PlanSteps
              plan={plan.value}
              mark={(agent) => (marked.value = agent === null ? null : lineOfAgent(lines, agent))}
            />
          )}
        </section>
      </div>
    </Page>
  );
}

function Missing({ failure }: { failure: { message: string; hint: string | null } }) {
  const isMissing =
    failure.message.includes("no team file") || failure.hint?.includes("hivemind init") === true;
  if (!isMissing) return <FailureNotice failure={failure} />;
  return (
    <EmptyState icon="team-file" title="No team file here." command="hivemind init">
      <p>
        A team file says which agents a folder should have. hivemind writes one from the agents that run now;
        then <code>hivemind up</code> starts the same team again, anywhere.
      </p>
      <p class="faint">
        <Marked text={failure.message} />
      </p>
    </EmptyState>
  );
}

/** Comments and keys look different; that is all the highlighting a short file needs. */
function Line({ text }: { text: string }) {
  const [, before, key, rest] = /^(\s*(?:- )?)([\w-]+:)((?:\s.*)?)$/s.exec(text) ?? [];
  if (/^\s*#/.test(text) || key === undefined)
    return (
      <span class={/^\s*#/.test(text) ? "file-comment" : undefined}>
        <Marked text={text} />
      </span>
    );
  return (
    <span>
      {before}
      <span class="file-key">{key}</span>
      <Marked text={rest ?? ""} />
    </span>
  );
}
