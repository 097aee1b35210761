// Which conversation the agent had when.

import { shortId } from "../../src/names/short-id.js";
import { Badge } from "../parts/badge.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { type Column, Table } from "../parts/table.js";
import { useLoaded } from "../server/use-loaded.js";
import { to } from "../shell/router.js";

/** `GET /history/{ref}` */
interface HistoryAnswer {
  stays: readonly Stay[];
}

interface Stay {
  session: string;
  role: string | null;
  seenFrom: string;
  seenTo: string | null;
  places: readonly { pane: string | null }[];
  sources: readonly string[];
  isThereNow: boolean;
  why: string | null;
}

const columns: readonly Column<Stay>[] = [
  {
    title: "Conversation",
    cell: ({ session }) => (
      <a class="mono" href={to("/sessions/:ref", { ref: session })} title={session}>
        {shortId(session)}
      </a>
    ),
  },
  { title: "Role", cell: ({ role }) => role ?? "–" },
  { title: "From", cell: ({ seenFrom }) => <Moment at={seenFrom} /> },
  {
    title: "To",
    cell: ({ seenTo, isThereNow }) => (isThereNow ? <Badge tone="good">now</Badge> : <Moment at={seenTo} />),
  },
  {
    title: "Pane",
    cell: ({ places }) => (
      <span class="mono">
        <Marked text={[...new Set(places.flatMap(({ pane }) => pane ?? []))].join(", ") || "–"} />
      </span>
    ),
  },
  {
    title: "Known from",
    isWide: true,
    cell: ({ sources, why }) => <span class="soft">{[...sources, ...(why ? [why] : [])].join(", ")}</span>,
  },
];

export function History({ reference }: { reference: string }) {
  const { value, failure, reload } = useLoaded<HistoryAnswer>(`/history/${encodeURIComponent(reference)}`);
  if (failure !== null) return <FailureNotice failure={failure} retry={reload} />;
  if (value === null) return <Loading what="the history" />;
  if (value.stays.length === 0) {
    return (
      <EmptyState icon="timeline" title="Nothing was recorded yet.">
        hivemind writes down which conversation an agent has whenever it looks.
      </EmptyState>
    );
  }
  return (
    <div class="card">
      <Table
        caption="The conversations of this agent"
        columns={columns}
        rows={value.stays.toSorted((a, b) => (a.seenFrom < b.seenFrom ? 1 : -1))}
        keyOf={({ session, seenFrom }) => `${session} ${seenFrom}`}
      />
    </div>
  );
}

function Moment({ at }: { at: string | null }) {
  if (at === null) return <>–</>;
  return (
    <time class="numbers" dateTime={at}>
      {new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}
