// What is known about one conversation, and where to go from it.

import { counted } from "../parts/ago.js";
import { Button, LinkButton } from "../parts/button.js";
import { Marked } from "../parts/marked.js";
import { StateMark } from "../parts/state-mark.js";
import { TimeAgo } from "../parts/time-ago.js";
import { to } from "../shell/router.js";
import { type Kin, nameOf, roleOf } from "./graph.js";
import type { LiveState } from "./live-states.js";
import { SignIcon } from "./sign-icon.js";
import "./session-card.css";

interface Card {
  kin: Kin;
  state: LiveState | undefined;
  choose(kin: Kin): void;
}

export function SessionCard({ close, ...card }: Card & { close(): void }) {
  const { kin } = card;
  return (
    <section class="card session-card" aria-label="The chosen conversation">
      <header class="session-card-head">
        <SignIcon beginning={kin.origin?.kind ?? "new"} life={kin.facts.life} />
        <h2 class="cut">
          <Marked text={nameOf(kin)} />
        </h2>
        <Button kind="quiet" icon="close" isIconOnly onClick={close}>
          Close
        </Button>
      </header>
      <Facts {...card} />
      <Ways {...card} />
    </section>
  );
}

function Facts({ kin, state, choose }: Card) {
  const { facts, origin, parent, children } = kin;
  const role = roleOf(facts);
  const pane = facts.pane ?? facts.lastSeen?.pane ?? null;
  return (
    <dl class="facts">
      <dt>Now</dt>
      <dd>{state === undefined ? lifeWords[facts.life] : <StateMark state={state.activity} />}</dd>
      {role !== null && (
        <Fact term={facts.role === null ? "Last role" : "Role"}>
          <Marked text={role} />
        </Fact>
      )}
      {pane !== null && (
        <Fact term={facts.pane === null ? "Last pane" : "Pane"}>
          <span class="mono">{pane}</span>
        </Fact>
      )}
      {origin !== null && parent !== null && (
        <Fact term={originWords[origin.kind]}>
          <Relative kin={parent} choose={choose} />
          {origin.inferred && <span class="faint"> (inferred)</span>}
        </Fact>
      )}
      {children.length > 0 && (
        <Fact term="Became">
          {children.slice(0, mostChildren).map((child) => (
            <Relative key={child.id} kin={child} choose={choose} />
          ))}
          {children.length > mostChildren && (
            <span class="faint">and {children.length - mostChildren} more</span>
          )}
        </Fact>
      )}
      {facts.cwd !== null && (
        <Fact term="Folder">
          <span class="mono">
            <Marked text={facts.cwd} />
          </span>
        </Fact>
      )}
      <Fact term="Began">
        {facts.createdAt === null ? "unknown" : <TimeAgo at={facts.createdAt} form="long" />}
      </Fact>
      {facts.updatedAt !== null && (
        <Fact term="Last word">
          <TimeAgo at={facts.updatedAt} form="long" />
        </Fact>
      )}
      {facts.messages !== null && <Fact term="Length">{lengthWords(kin)}</Fact>}
      <Fact term="Id">
        <span class="mono">{kin.id}</span>
      </Fact>
    </dl>
  );
}

const mostChildren = 4;

function Relative({ kin, choose }: Pick<Card, "kin" | "choose">) {
  return (
    <button type="button" class="link-button" onClick={() => choose(kin)}>
      <Marked text={nameOf(kin)} />
    </button>
  );
}

/** Where to go from here. */
function Ways({ kin, state }: Card) {
  const fork = forkAddress(kin);
  const isFork = kin.origin?.kind === "fork" || kin.origin?.kind === "branch";
  return (
    <div class="row">
      {state?.key && (
        <LinkButton to={to("/agent/:key", { key: state.key })} kind="main" icon="shell">
          Agent
        </LinkButton>
      )}
      {kin.facts.path !== null && (
        <LinkButton to={to("/sessions/:ref", { ref: kin.id })} icon="sessions">
          Conversation
        </LinkButton>
      )}
      {fork !== null && (
        <LinkButton to={fork} icon="fork">
          {isFork ? "Point of the fork" : "Where it began"}
        </LinkButton>
      )}
    </div>
  );
}

/** The parent's conversation at the last message that both have; null if that is not known. */
export function forkAddress({ origin, parent }: Kin): string | null {
  if (origin === null || parent === null || parent.facts.path === null) return null;
  if (origin.forkPoint === null && origin.forkedAt === null) return null;
  const at = new URLSearchParams({
    ...(origin.forkPoint === null ? {} : { message: origin.forkPoint }),
    ...(origin.forkedAt === null ? {} : { at: origin.forkedAt }),
  });
  return `${to("/sessions/:ref", { ref: parent.id })}?${at}`;
}

const originWords = {
  fork: "Forked from",
  branch: "Branched from",
  clear: "Cleared after",
  compact: "Compacted from",
  team: "Started by",
} as const;

const lifeWords = {
  running: "runs in a pane",
  parked: "its pane shows the list of background conversations",
  background: "runs in the background",
  ended: "its agent ended; the pane is still there",
  saved: "saved; no agent has it",
  gone: "gone: no file, no agent",
} as const;

function Fact({ term, children }: { term: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  );
}

function lengthWords({ facts }: Kin): string {
  const compactions = facts.compactions ?? 0;
  const times = compactions === 0 ? "" : `, compacted ${compactions === 1 ? "once" : `${compactions} times`}`;
  return `${counted(facts.messages ?? 0, "message")}${times}`;
}
