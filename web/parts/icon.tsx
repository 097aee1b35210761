// The icons: strokes on a grid of 20, in the colour of the text around them.

const shapes = {
  board: "M3.5 4.5h5v5h-5zM11.5 4.5h5v5h-5zM3.5 12.5h5v3h-5zM11.5 12.5h5v3h-5z",
  inbox: "M3 11l2.2-6h9.6L17 11v4.5H3zM3 11h4l1 2h4l1-2h4",
  lineage:
    "M6 4v12M6 10h4a4 4 0 0 0 4-4M6 2.5v0M14 4.5v0M4.5 16a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M4.5 4a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0M12.5 4.5a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0",
  timeline: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4.2l2.8 1.8",
  health: "M2.5 10.5h3.2l2-5 3.6 9 2.2-5.5.8 1.5h3.2",
  "team-file": "M5 2.8h6.5L15.5 7v10.2H5zM11.2 3v4.2h4.1M7.5 10.5h5.2M7.5 13.5h5.2",
  sessions: "M3 4.5h14v9H9l-3.5 3v-3H3zM6.2 7.8h7.6M6.2 10.4h5",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  keys: "M2.5 5.5h15v9h-15zM5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01M6.5 11.8h7",
  search: "M8.7 3.5a5.2 5.2 0 1 0 0 10.4 5.2 5.2 0 0 0 0-10.4zM12.6 12.6l4 4",
  check: "M4 10.5l4 4 8-9",
  close: "M5 5l10 10M15 5L5 15",
  back: "M12 4.5L6.5 10l5.5 5.5",
  next: "M8 4.5l5.5 5.5L8 15.5",
  down: "M4.5 8l5.5 5.5L15.5 8",
  send: "M3 10l14-6.5-4.5 13.5-3-5.5zM9.5 11.5L17 3.5",
  fork: "M6 6.5v7M6 10.5h4.5a3.5 3.5 0 0 0 3.5-3.5M4.2 4.7a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M4.2 15.3a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0M12.2 5.2a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0",
  restart: "M16 10a6 6 0 1 1-1.8-4.3M16.2 3v3.2H13",
  rename: "M4 13.2V16h2.8L15.5 7.3l-2.8-2.8zM11 6.2L13.8 9",
  hold: "M7 5v10M13 5v10",
  release: "M6 4.5l9 5.5-9 5.5z",
  kill: "M6 6l8 8M14 6l-8 8M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4z",
  copy: "M7 7h9v9.5H7zM13 7V3.5H4V13h3",
  bell: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.2 1.5H3.8zM8.3 17.2h3.4",
  message: "M3 5h14v10.5H3zM3.3 5.3L10 11l6.7-5.7",
  folder: "M2.8 5h5l1.6 2h7.8v9H2.8z",
  eye: "M2.2 10S5 5 10 5s7.8 5 7.8 5-2.8 5-7.8 5-7.8-5-7.8-5zM8 10a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
  person: "M10 3.2a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM3.8 17c.6-3.4 3-5 6.2-5s5.6 1.6 6.2 5",
  warning: "M10 3.2L17.5 16.5h-15zM10 8v4M10 14.3v.01",
  wait: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM7.7 8a2.3 2.3 0 1 1 3.4 2c-.7.4-1.1.8-1.1 1.6M10 14v.01",
  busy: "M10 3a7 7 0 1 1-6.1 3.6",
  idle: "M10 3.4a6.6 6.6 0 1 0 0 13.2 6.6 6.6 0 0 0 0-13.2z",
  low: "M10 3.4a6.6 6.6 0 1 0 0 13.2 6.6 6.6 0 0 0 0-13.2zM4 12.5h12",
  limit: "M5 2.8h10M5 17.2h10M6 2.8c0 4 3 5 4 7.2-1 2.2-4 3.2-4 7.2M14 2.8c0 4-3 5-4 7.2 1 2.2 4 3.2 4 7.2",
  parked: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM8 7.3v5.4M12 7.3v5.4",
  shell: "M3 4h14v12H3zM6 8l2.3 2L6 12M10 12.3h3.5",
  away: "M10 3v.01M14.9 5.1v.01M17 10v.01M14.9 14.9v.01M10 17v.01M5.1 14.9v.01M3 10v.01M5.1 5.1v.01",
  unknown: "M10 10v.01",
  system: "M2.8 4h14.4v9.5H2.8zM7 17h6M10 13.5V17",
  light:
    "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 2v1.8M10 16.2V18M2 10h1.8M16.2 10H18M4.3 4.3l1.3 1.3M14.4 14.4l1.3 1.3M4.3 15.7l1.3-1.3M14.4 5.6l1.3-1.3",
  dark: "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z",
} as const;

export type IconName = keyof typeof shapes;

/** Decoration beside a word. With `label` it stands alone and says what it means. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  const className = name === "unknown" || name === "away" || name === "more" ? "icon icon-dots" : "icon";
  if (label === undefined) {
    return (
      <svg class={className} viewBox="0 0 20 20" aria-hidden="true">
        <path d={shapes[name]} />
      </svg>
    );
  }
  return (
    <svg class={className} viewBox="0 0 20 20" role="img" aria-label={label}>
      <path d={shapes[name]} />
    </svg>
  );
}
