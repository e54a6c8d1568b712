/** How is the page built, served while developing, and tested? */
import { defineConfig } from "vitest/config";

const gateway = process.env["SIGHTLINE_URL"] ?? "http://127.0.0.1:8080";

export default defineConfig({
  base: "/",
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  // No data: URLs and no inlined assets, so that `default-src 'self'` holds for everything the page loads.
  build: { outDir: "dist", assetsDir: "assets", assetsInlineLimit: 0, target: "es2022", modulePreload: { polyfill: false } },
  server: { proxy: { "/v1": gateway, "/healthz": gateway, "/readyz": gateway } },
  test: { include: ["tests/**/*.test.{ts,tsx}"], restoreMocks: true },
});
