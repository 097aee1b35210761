// A command to type, with a button that copies it.

import { useSignal } from "@preact/signals";
import { Button } from "./button.js";

export function CommandLine({ text }: { text: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      isCopied.value = true;
    } catch {
      // Without permission the text can still be selected.
    }
  };
  return (
    <span class="command-line">
      <code>{text}</code>
      <Button kind="quiet" icon={isCopied.value ? "check" : "copy"} isIconOnly onClick={copy}>
        {isCopied.value ? "Copied" : `Copy: ${text}`}
      </Button>
    </span>
  );
}
