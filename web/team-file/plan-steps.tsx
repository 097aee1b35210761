// What `hivemind reload` would do, step by step, and what `hivemind up` leaves out.

import { Badge } from "../parts/badge.js";
import { CommandLine } from "../parts/command-line.js";
import { Marked } from "../parts/marked.js";
import { deedWords, type PlanStep, planSummary, type TeamPlan } from "./plan-words.js";

export function PlanSteps({ plan, mark }: { plan: TeamPlan; mark(agent: string | null): void }) {
  const { team, steps, remarks, isRunning } = plan;
  const isDone = steps.every((step) => step.do === "keep");
  const isReload = steps.some((step) => step.do === "change" || step.do === "remove");
  return (
    <>
      <header class="stack">
        <h2 id="file-plan-title">
          {planSummary(steps)} <span class="faint">in {team}</span>
        </h2>
        {!isDone && (
          <p class="row soft">
            {isReload ? "To do all of it:" : "To do it:"}{" "}
            <CommandLine text={isReload ? "hivemind reload" : "hivemind up"} />
            {isReload && (
              <span>
                (<code>hivemind up</code> restarts and ends nobody)
              </span>
            )}
          </p>
        )}
        {!isRunning && <p class="soft">The team does not run.</p>}
      </header>
      <ul class="plan-steps">
        {steps.map((step) => (
          <Step key={step.agent} step={step} mark={mark} />
        ))}
      </ul>
      {remarks.map((remark) => (
        <p class="soft">
          <Marked text={remark} />
        </p>
      ))}
    </>
  );
}

function Step({ step, mark }: { step: PlanStep; mark(agent: string | null): void }) {
  const { sign, word, tone } = deedWords(step);
  const facts = [step.pane, step.kind, step.model, step.cwd].filter(Boolean).join(" · ");
  return (
    <li class="plan-step card" onMouseEnter={() => mark(step.agent)} onMouseLeave={() => mark(null)}>
      <span class={`plan-sign plan-sign-${tone}`} aria-hidden="true">
        {sign}
      </span>
      <div class="plan-words">
        <p class="row">
          <b>
            <Marked text={step.agent} />
          </b>
          <Badge tone={tone}>{word}</Badge>
        </p>
        {step.why !== "" && (
          <p>
            <Marked text={step.why} />
          </p>
        )}
        {facts !== "" && (
          <p class="faint mono">
            <Marked text={facts} />
          </p>
        )}
        {step.remarks.map((remark) => (
          <p class="soft">
            <Marked text={remark} />
          </p>
        ))}
        {step.hint !== null && (
          <p class="plan-hint">
            <Marked text={step.hint} />
          </p>
        )}
      </div>
    </li>
  );
}
