// Builds the page into dist/web. No plugin is needed: esbuild compiles JSX as tsconfig.json says.

import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  logLevel: "warn",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // A strict content policy: no inline script, no data: address except for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
