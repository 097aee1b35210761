// The text of a message. Everything foreign is a text node; links lead to http and https only.

import { CodeBlock } from "../../parts/code-block.js";
import { Marked } from "../../parts/marked.js";
import { parseInline } from "./parse-inline.js";
import { type ListItem, parseText, type TextBlock } from "./parse-text.js";

export function RichText({ text }: { text: string }) {
  return (
    <div class="rich-text">
      {parseText(text).map((block) => (
        <Block block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case "paragraph":
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case "quote":
      return (
        <blockquote>
          <RichText text={block.text} />
        </blockquote>
      );
    case "heading":
      return (
        <p class={`rich-heading rich-heading-${Math.min(block.level, 3)}`}>
          <Inline text={block.text} />
        </p>
      );
    case "code":
      return (
        <CodeBlock lines={block.lines} label={block.language || "code"} isDiff={block.language === "diff"} />
      );
    case "table":
      return <CodeBlock lines={block.lines} label="a table" />;
    case "rule":
      return <hr />;
    case "list":
      return (
        <ul class="rich-list">
          {block.items.map((item) => (
            <Item item={item} />
          ))}
        </ul>
      );
  }
}

function Item({ item: { mark, level, text } }: { item: ListItem }) {
  return (
    <li class={`rich-item rich-item-${Math.min(level, 4)}`}>
      <span class="rich-mark">{mark}</span>
      <span>
        <Inline text={text} />
      </span>
    </li>
  );
}

function Inline({ text }: { text: string }) {
  return (
    <>
      {parseInline(text).map((piece) => {
        switch (piece.kind) {
          case "code":
            return (
              <code>
                <Marked text={piece.text} />
              </code>
            );
          case "strong":
            return (
              <strong>
                <Marked text={piece.text} />
              </strong>
            );
          case "link":
            return (
              <a href={piece.href} target="_blank" rel="noopener noreferrer" title={piece.href}>
                <Marked text={piece.text} />
              </a>
            );
          default:
            return <Marked text={piece.text} />;
        }
      })}
    </>
  );
}
