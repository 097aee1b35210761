// The page #/health: what is stored but is not so, the plan of a repair, and the repair.

import { useSignal } from "@preact/signals";
import { Badge, type Tone } from "../parts/badge.js";
import { Button } from "../parts/button.js";
import { Icon } from "../parts/icon.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { useLoaded } from "../server/use-loaded.js";
import {
  type Audit,
  adviceWords,
  type BrokenSession,
  differenceWords,
  type Finding,
  type Repaired,
  wrongWords,
} from "./health-words.js";
import { Repair } from "./repair.js";
import "./health.css";

export function HealthPage() {
  const { value, failure, isLoading, reload } = useLoaded<Audit>("/consistency/audit");
  const done = useSignal<Repaired | null>(null);
  const isClean = value !== null && value.violations.length + value.broken.length === 0;
  return (
    <Page
      title="Health"
      about="Whether what hivemind has stored matches what runs"
      actions={
        <Button icon="restart" disabled={isLoading} onClick={reload}>
          {isLoading ? "Checking…" : "Check again"}
        </Button>
      }
    >
      {failure !== null && <FailureNotice failure={failure} retry={reload} />}
      {value === null && failure === null && <Loading what="the check" />}
      {isClean && <Clean isRepaired={done.value !== null} />}
      {value !== null && !isClean && (
        <ul class="findings">
          {value.violations.map((finding) => (
            <FindingCard key={`${finding.invariant} ${finding.store} ${finding.key}`} finding={finding} />
          ))}
          {value.broken.map((session) => (
            <BrokenCard key={`${session.pane} ${session.uuid}`} session={session} />
          ))}
        </ul>
      )}
      {value !== null && (
        <Repair
          broken={value.broken}
          isClean={isClean}
          done={done.value}
          repaired={(answer) => {
            done.value = answer;
            reload();
          }}
        />
      )}
    </Page>
  );
}

function Clean({ isRepaired }: { isRepaired: boolean }) {
  return (
    <section class="clean card">
      <span class="clean-mark">
        <Icon name="check" />
      </span>
      <div>
        <p class="clean-title">{isRepaired ? "Nothing is wrong any more." : "Nothing is wrong."}</p>
        <p class="soft">
          Every stored agent is in its pane, every session has its transcript, and every queue has its agent.
        </p>
      </div>
    </section>
  );
}

const tones: Readonly<Record<Finding["severity"], Tone>> = {
  critical: "bad",
  high: "bad",
  medium: "accent",
  low: "plain",
};

function FindingCard({ finding }: { finding: Finding }) {
  const advice = adviceWords(finding);
  return (
    <li class="finding card">
      <Badge tone={tones[finding.severity]}>{finding.severity}</Badge>
      <div class="finding-words">
        <p class="finding-title">{wrongWords(finding)}</p>
        <p>
          <code>
            <Marked text={finding.key} />
          </code>
          <span class="soft">
            : <Marked text={differenceWords(finding)} />
          </span>
        </p>
        {finding.op === "report" && (
          <p class="finding-person">
            <Icon name="wait" /> Only a person can repair this{advice === null ? "." : `: ${advice}`}
          </p>
        )}
      </div>
      <span class="faint mono" title={`invariant ${finding.invariant}, store ${finding.store}`}>
        {finding.invariant}
      </span>
    </li>
  );
}

function BrokenCard({ session: { pane, uuid, isDropped } }: { session: BrokenSession }) {
  return (
    <li class="finding card">
      <Badge>broken</Badge>
      <div class="finding-words">
        <p class="finding-title">A session has no transcript</p>
        <p>
          <code>
            <Marked text={pane} />
          </code>{" "}
          <span class="soft">
            has {uuid}; {isDropped ? "it cannot come back" : "its transcript may come back, so it stays"}
          </span>
        </p>
      </div>
    </li>
  );
}
