// Buttons. The main one of a view is filled; one that ends something is red.

import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.js";

export type ButtonKind = "main" | "plain" | "quiet" | "bad";

interface Look {
  kind?: ButtonKind;
  icon?: IconName;
  /** The icon stands alone; the children are its name for screen readers. */
  isIconOnly?: boolean;
  /** Its action runs. It keeps the focus, which a disabled button would lose. */
  isBusy?: boolean;
  children: ComponentChildren;
}

export function Button({ kind, icon, isIconOnly, isBusy, children, ...rest }: Look & ButtonHTMLAttributes) {
  return (
    <button
      type="button"
      {...rest}
      class={classOf(kind, isIconOnly)}
      aria-disabled={isBusy ? "true" : undefined}
    >
      <Inside icon={icon} isIconOnly={isIconOnly}>
        {children}
      </Inside>
    </button>
  );
}

/** A link that looks like a button: it goes to another view. */
export function LinkButton({
  to,
  kind,
  icon,
  isIconOnly,
  children,
  label,
}: Look & { to: string; label?: string }) {
  return (
    <a class={classOf(kind, isIconOnly)} href={to} aria-label={label}>
      <Inside icon={icon} isIconOnly={isIconOnly}>
        {children}
      </Inside>
    </a>
  );
}

function Inside({
  icon,
  isIconOnly,
  children,
}: {
  icon: IconName | undefined;
  isIconOnly: boolean | undefined;
  children: ComponentChildren;
}) {
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      <span class={isIconOnly ? "unseen" : undefined}>{children}</span>
    </>
  );
}

function classOf(kind: ButtonKind = "plain", isIconOnly = false): string {
  return `button button-${kind}${isIconOnly ? " button-icon" : ""}`;
}
