// A word in a tinted pill.

import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.js";

export type Tone = "plain" | "accent" | "good" | "bad" | "info";

export function Badge({
  tone = "plain",
  icon,
  title,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  title?: string;
  children: ComponentChildren;
}) {
  return (
    <span class={`badge badge-${tone}`} title={title}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}
