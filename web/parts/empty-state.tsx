// What a view shows when there is nothing: why, and what to do about it.

import type { ComponentChildren } from "preact";
import { CommandLine } from "./command-line.js";
import { Icon, type IconName } from "./icon.js";

export function EmptyState({
  icon,
  title,
  command,
  children,
}: {
  icon: IconName;
  title: string;
  /** What to type. */
  command?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="soft">{children}</div>}
      {command !== undefined && <CommandLine text={command} />}
    </div>
  );
}
