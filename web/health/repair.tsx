// The plan of a repair, shown before the button that makes it; then what it did.

import { useSignal } from "@preact/signals";
import { serverFacts } from "../fleet/fleet.js";
import { counted } from "../parts/ago.js";
import { Button } from "../parts/button.js";
import { CommandLine } from "../parts/command-line.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice, Notice } from "../parts/notice.js";
import { ApiError, post } from "../server/api.js";
import { failureOf, useLoaded } from "../server/use-loaded.js";
import { type BrokenSession, doneLines, planLines, type Repaired } from "./health-words.js";

export function Repair({
  broken,
  isClean,
  done,
  repaired,
}: {
  broken: readonly BrokenSession[];
  isClean: boolean;
  done: Repaired | null;
  /** Null: the server refused, and the state may have changed nevertheless. */
  repaired(done: Repaired | null): void;
}) {
  return (
    <>
      {done !== null && <Done done={done} />}
      {!isClean && <Plan {...{ broken, repaired }} />}
    </>
  );
}

function Done({ done }: { done: Repaired }) {
  const lines = doneLines(done);
  return (
    <Notice tone={done.skipped.length + done.violations.length === 0 ? "good" : "accent"}>
      <p>
        <b>{lines.length === 0 ? "There was nothing left to repair." : "The repair did this:"}</b>
      </p>
      <Steps lines={lines} />
    </Notice>
  );
}

function Plan({
  broken,
  repaired,
}: {
  broken: readonly BrokenSession[];
  repaired(done: Repaired | null): void;
}) {
  const { value, failure, reload } = useLoaded<Repaired>("/consistency/reconcile");
  const isRepairing = useSignal(false);
  const refusal = useSignal<{ message: string; hint: string | null } | null>(null);
  const repair = async () => {
    isRepairing.value = true;
    refusal.value = null;
    try {
      repaired((await post<Repaired>("/consistency/fix", { yes: true })).value);
    } catch (error) {
      // A repair that leaves something for a person is refused, but says what it did.
      const done = error instanceof ApiError ? (error.value as Repaired | null) : null;
      if (done?.repaired === undefined) refusal.value = failureOf(error);
      repaired(done?.repaired === undefined ? null : done);
    }
    isRepairing.value = false;
    reload();
  };
  if (failure !== null) return <FailureNotice failure={failure} retry={reload} />;
  if (value === null) return <Loading what="the plan of the repair" />;
  const lines = planLines(value, broken);
  const left = value.violations.filter(({ op }) => op === "report").length;
  return (
    <section class="plan card" aria-labelledby="plan-title">
      <h2 id="plan-title">
        {lines.length === 0
          ? "hivemind can repair none of this"
          : `A repair would do ${counted(lines.length, "thing")}`}
      </h2>
      <Steps lines={lines} />
      {left > 0 && (
        <p class="soft">
          {left === 1 ? "1 finding stays: it needs" : `${left} findings stay: they need`} a person.
        </p>
      )}
      {lines.length > 0 && (
        <p class="soft">
          Nothing is removed on one look: hivemind checks twice, and again just before it removes anything.
        </p>
      )}
      {refusal.value !== null && <FailureNotice failure={refusal.value} />}
      {lines.length > 0 &&
        (serverFacts.value?.allowsActions ? (
          <p>
            <Button kind="main" icon="health" disabled={isRepairing.value} onClick={repair}>
              {isRepairing.value ? "Repairing…" : "Repair"}
            </Button>
          </p>
        ) : (
          <p class="soft row">
            This server only lets you look. Repair in a terminal:{" "}
            <CommandLine text="hivemind consistency fix" /> or start it with{" "}
            <CommandLine text="hivemind serve --allow-actions" />
          </p>
        ))}
    </section>
  );
}

function Steps({ lines }: { lines: readonly string[] }) {
  return (
    <ol class="repair-steps">
      {lines.map((line) => (
        <li>
          <Marked text={line} />
        </li>
      ))}
    </ol>
  );
}
