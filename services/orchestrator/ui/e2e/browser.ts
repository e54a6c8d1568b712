/** A real browser on a running stack, with a record of everything that it should not have done. */
import { chromium, type Browser, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Session {
  browser: Browser;
  page: Page;
  url: string;
  /** Console errors, uncaught exceptions and requests to anywhere but the stack. */
  faults: string[];
}

export async function open(): Promise<Session> {
  const url = process.env["SIGHTLINE_URL"];
  if (!url) throw new Error("SIGHTLINE_URL is not set: start a stack (make up) and set it to its address.");
  const origin = new URL(url).origin;
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: FLAGS,
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => faults.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`external request: ${request.url()}`);
  });
  return { browser, page, url: origin, faults };
}
