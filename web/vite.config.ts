import { defineConfig } from "vite";

// The server embeds what is built here. Names have a hash of the content, so that browsers may keep files for good, and the same
// sources give the same files everywhere: a test of the server builds them anew and compares.
export default defineConfig({
  base: "/",
  build: {
    outDir: "../internal/server/explorer/app",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  server: { proxy: { "/v1": "http://127.0.0.1:8080", "/explore/sign-in": "http://127.0.0.1:8080" } },
});
