// Light, dark, or what the system prefers; kept for the next visit.

import { effect, signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const place = "hivemind.theme";
export const theme = signal<Theme>(stored());

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset.theme;
  else dataset.theme = theme.value;
  localStorage.setItem(place, theme.value);
});

function stored(): Theme {
  const value = localStorage.getItem(place);
  return themes.find((each) => each === value) ?? "system";
}
