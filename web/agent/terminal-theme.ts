// The colours of the terminal: dark in both themes, as most terminals are, so that an agent's colours stay readable.

import type { ITheme } from "@xterm/xterm";

export const terminalTheme: ITheme = {
  background: "#14161b",
  foreground: "#dcdad4",
  cursor: "#f2b134",
  cursorAccent: "#14161b",
  selectionBackground: "#6d521a",
  black: "#23262e",
  red: "#ff7b72",
  green: "#6fcf9b",
  yellow: "#f2b134",
  blue: "#82abff",
  magenta: "#d597e6",
  cyan: "#67d3d8",
  white: "#dcdad4",
  brightBlack: "#868a94",
  brightRed: "#ffa198",
  brightGreen: "#8fe3b4",
  brightYellow: "#ffcf6b",
  brightBlue: "#adc8ff",
  brightMagenta: "#e6bdf2",
  brightCyan: "#93e5e9",
  brightWhite: "#ffffff",
};
