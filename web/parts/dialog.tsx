// A modal dialog: Escape and a click beside it close it, and the focus goes back to where it was.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.js";

export function Dialog({
  title,
  close,
  children,
}: {
  title: string;
  close(): void;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={element}
      class="dialog"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === element.current) close();
      }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2>{title}</h2>
          <Button kind="quiet" icon="close" isIconOnly onClick={close}>
            Close
          </Button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
