// Search, filters, and the choice of the picture.

import type { Signal } from "@preact/signals";
import { Button } from "../parts/button.js";
import { Icon } from "../parts/icon.js";
import { changeQuery } from "../shell/navigate.js";
import type { Filter } from "./choose-sessions.js";

export type Arrangement = "time" | "family";

const ages: readonly { words: string; withinMs: number | null }[] = [
  { words: "any time", withinMs: null },
  { words: "last hour", withinMs: 3_600_000 },
  { words: "last day", withinMs: 86_400_000 },
  { words: "last week", withinMs: 7 * 86_400_000 },
  { words: "last month", withinMs: 30 * 86_400_000 },
];

interface Search {
  typed: Signal<string>;
  /** Null without a search. */
  foundCount: number | null;
  /** The place of the chosen session among the found ones, from 0. */
  at: number;
  isSearching: boolean;
  step(by: number): void;
}

interface Choice {
  filter: Signal<Filter>;
  folders: readonly { folder: string; count: number }[];
}

export function Toolbar({ arrangement, ...rest }: Search & Choice & { arrangement: Signal<Arrangement> }) {
  return (
    <search class="lineage-bar">
      <SearchBox {...rest} />
      <Filters {...rest} />
      <fieldset class="switch">
        <legend class="unseen">Arrange</legend>
        {(["time", "family"] as const).map((each) => (
          <label key={each}>
            <input
              type="radio"
              class="unseen"
              name="arrangement"
              checked={arrangement.value === each}
              onChange={() => {
                arrangement.value = each;
                changeQuery("by", each === "time" ? null : each);
              }}
            />
            <span>{each === "time" ? "By time" : "By family"}</span>
          </label>
        ))}
      </fieldset>
    </search>
  );
}

function SearchBox({ typed, foundCount, at, isSearching, step }: Search) {
  return (
    <>
      <label class="search-field lineage-search">
        <span class="unseen">Search titles, roles, folders, ids and the conversations themselves</span>
        <Icon name="search" />
        <input
          class="field"
          type="search"
          data-filter
          placeholder="Search titles, roles, text…"
          value={typed.value}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
          }}
        />
      </label>
      {foundCount !== null && (
        <span class="lineage-found" role="status">
          <span class="numbers">{foundWords(foundCount, at, isSearching)}</span>
          <Button kind="quiet" icon="back" isIconOnly disabled={foundCount === 0} onClick={() => step(-1)}>
            Previous match
          </Button>
          <Button kind="quiet" icon="next" isIconOnly disabled={foundCount === 0} onClick={() => step(1)}>
            Next match
          </Button>
        </span>
      )}
    </>
  );
}

function Filters({ filter, folders }: Choice) {
  const { folder, withinMs, isFamiliesOnly } = filter.value;
  const change = (part: Partial<Filter>) => (filter.value = { ...filter.value, ...part });
  return (
    <span class="lineage-filters">
      <label>
        <span class="unseen">Folder</span>
        <select
          class="field"
          value={folder ?? ""}
          onChange={(event) => change({ folder: event.currentTarget.value || null })}
        >
          <option value="">every folder</option>
          {folders.map((each) => (
            <option key={each.folder} value={each.folder}>
              {lastParts(each.folder)} ({each.count})
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">Changed in the</span>
        <select
          class="field"
          value={String(withinMs)}
          onChange={({ currentTarget }) =>
            change({ withinMs: currentTarget.value === "null" ? null : Number(currentTarget.value) })
          }
        >
          {ages.map((each) => (
            <option key={each.words} value={String(each.withinMs)}>
              {each.words}
            </option>
          ))}
        </select>
      </label>
      <label class="lineage-check">
        <input
          type="checkbox"
          checked={isFamiliesOnly}
          onChange={(event) => change({ isFamiliesOnly: event.currentTarget.checked })}
        />
        families only
      </label>
    </span>
  );
}

function foundWords(count: number, at: number, isSearching: boolean): string {
  const place = at < 0 ? "" : `${at + 1} of `;
  return `${place}${count} found${isSearching ? ", searching the text…" : ""}`;
}

function lastParts(folder: string): string {
  return folder.split("/").slice(-2).join("/");
}
