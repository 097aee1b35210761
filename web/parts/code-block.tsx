// Lines of a command, a file or a difference, in full or its beginning with a button for the rest.

import { useSignal } from "@preact/signals";
import { counted } from "./ago.js";
import { Marked } from "./marked.js";

export function CodeBlock({
  lines,
  label,
  isDiff = false,
  most = 40,
}: {
  lines: readonly string[];
  /** For screen readers: "the command". */
  label: string;
  /** Lines that begin with + or - are coloured. */
  isDiff?: boolean;
  /** Lines that are shown at first. */
  most?: number;
}) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? lines : lines.slice(0, most);
  const rest = lines.length - shown.length;
  return (
    <figure class="code-block" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {shown.map((line) => (
          <code class={isDiff ? diffClass(line) : "code-line"}>
            <Marked text={line} />
            {"\n"}
          </code>
        ))}
      </pre>
      {rest > 0 && (
        <button type="button" class="code-more" onClick={() => (isWhole.value = true)}>
          Show {counted(rest, "more line")}
        </button>
      )}
    </figure>
  );
}

function diffClass(line: string): string {
  if (line.startsWith("+")) return "code-line code-added";
  if (line.startsWith("-")) return "code-line code-removed";
  return line.startsWith("@@") ? "code-line code-place" : "code-line";
}
