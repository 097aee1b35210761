// One message: its words in full; tools and thoughts folded.

import { CodeBlock } from "../parts/code-block.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { memo } from "./memo.js";
import type { Message } from "./message-pages.js";
import { RichText } from "./text/rich-text.js";
import { firstLine, toolLine, toolParts } from "./tool-words.js";

type Block = Message["blocks"][number];

const speakers = { user: "User", assistant: "Agent", tool: "Agent", system: "Note" } as const;

/** `isContinued`: the same speaker as before, without another heading. `isFork`: the target is the point of a fork. */
export const MessageView = memo(
  ({
    message,
    isContinued,
    isTarget,
    isFork,
  }: {
    message: Message;
    isContinued: boolean;
    isTarget: boolean;
    isFork: boolean;
  }) => {
    const { role, at, isSide, blocks, place } = message;
    const name = isSide ? "Sub-agent" : speakers[role];
    return (
      <article
        class={`said said-${isSide ? "side" : role}${isTarget ? " said-target" : ""}`}
        data-place={place}
        aria-label={`${name}${at === null ? "" : `, ${timeWords(at)}`}`}
      >
        {!isContinued && (
          <header class="said-head">
            <span class="said-speaker">{name}</span>
            {at !== null && (
              <time class="faint numbers" dateTime={at} title={new Date(at).toLocaleString()}>
                {timeWords(at)}
              </time>
            )}
          </header>
        )}
        {isTarget && isFork && <p class="said-mark">The fork begins after this message.</p>}
        {blocks.map((block) => (
          <BlockView block={block} />
        ))}
      </article>
    );
  },
);

export function speakerOf({ role, isSide }: Message): string {
  return isSide ? "side" : role === "tool" ? "assistant" : role;
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "text":
      return <RichText text={block.text} />;
    case "thinking":
      return (
        <details class="fold fold-thinking">
          <summary>
            <span class="fold-name">Thought</span>
            <span class="cut faint">
              <Marked text={firstLine(block.text)} />
            </span>
          </summary>
          <RichText text={block.text} />
        </details>
      );
    case "tool_use":
      return <ToolUse name={block.name} input={block.input} />;
    case "tool_result":
      return <ToolResult output={block.output} isError={block.isError} />;
    case "other":
      return <p class="faint">({block.type === "" ? "something else" : block.type}, not shown)</p>;
    case "skipped":
      return <p class="faint">(a record of {Math.round(block.sizeBytes / 1e5) / 10} MB, too long to show)</p>;
  }
}

function ToolUse({ name, input }: { name: string; input: unknown }) {
  const parts = toolParts(input);
  return (
    <details class="fold fold-tool">
      <summary>
        <Icon name="shell" />
        <span class="fold-name">
          <Marked text={name} />
        </span>
        <code class="cut">
          <Marked text={toolLine(input)} />
        </code>
      </summary>
      <div class="fold-parts">
        {parts.map(({ name: part, lines }) => (
          <div>
            <p class="fold-part faint">
              <Marked text={part} />
            </p>
            <CodeBlock lines={lines} label={part} />
          </div>
        ))}
        {parts.length === 0 && <p class="faint">without input</p>}
      </div>
    </details>
  );
}

function ToolResult({ output, isError }: { output: string; isError: boolean }) {
  const lines = output.split("\n");
  return (
    <details class={isError ? "fold fold-result fold-bad" : "fold fold-result"}>
      <summary>
        <Icon name={isError ? "warning" : "next"} />
        <span class="fold-name">{isError ? "Failed" : "Result"}</span>
        <code class="cut faint">
          <Marked text={output === "" ? "(empty)" : firstLine(output)} />
        </code>
        {lines.length > 1 && <span class="fold-count faint numbers">{lines.length} lines</span>}
      </summary>
      {output !== "" && <CodeBlock lines={lines} label={isError ? "the error" : "the result"} />}
    </details>
  );
}

function timeWords(at: string): string {
  return new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
