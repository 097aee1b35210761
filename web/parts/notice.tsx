// A message in the flow of a view: what happened, or a failure and its hint.

import type { ComponentChildren } from "preact";
import type { Tone } from "./badge.js";
import { Button } from "./button.js";
import { Icon, type IconName } from "./icon.js";
import { Marked } from "./marked.js";

const icons: Readonly<Record<Tone, IconName>> = {
  plain: "eye",
  accent: "warning",
  good: "check",
  bad: "warning",
  info: "eye",
};

export function Notice({ tone = "plain", children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={icons[tone]} />
      <div class="notice-text">{children}</div>
    </div>
  );
}

/** What the server refused or could not do, in its own words. */
export function FailureNotice({
  failure,
  retry,
}: {
  failure: { message: string; hint: string | null };
  retry?: () => void;
}) {
  return (
    <Notice tone="bad">
      <p>
        <Marked text={failure.message} />
      </p>
      {failure.hint !== null && (
        <p class="soft">
          <Marked text={failure.hint} />
        </p>
      )}
      {retry !== undefined && (
        <p>
          <Button onClick={retry} icon="restart">
            Try again
          </Button>
        </p>
      )}
    </Notice>
  );
}
