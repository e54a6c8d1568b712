// @vitest-environment happy-dom
/** Can a deletion be taken back, and does it happen otherwise? */
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DocumentInfo } from "../src/api/types";
import { watchJob } from "../src/api/client";
import { DocumentRow } from "../src/library/DocumentRow";
import { UNDO_MS, useDeletions } from "../src/library/useDeletions";
import { draw, gateway, type Asked } from "./page";

const info = { id: "doc_1", name: "a.txt", status: "ready", size: 10, chunk_count: 1, version: 1 } as unknown as DocumentInfo;

function Row() {
  return <DocumentRow document={info} deletions={useDeletions()} />;
}

function button(page: HTMLElement, words: string): HTMLButtonElement {
  const found = [...page.querySelectorAll("button")].find((known) => known.textContent === words);
  return found ?? expect.fail(`no button says ${words}`);
}

let asked: Asked[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  asked = gateway({ "DELETE /v1/documents/doc_1": () => new Response(null, { status: 204 }) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function pass(ms: number): Promise<void> {
  await act(() => {
    vi.advanceTimersByTime(ms);
  });
}

async function press(page: HTMLElement, words: string): Promise<void> {
  await act(() => button(page, words).click());
}

test("deleting asks first, waits, and then is sent once", async () => {
  const page = await draw(<Row />);
  await press(page, "Delete");
  expect(page.textContent).toContain("Delete it everywhere?");
  await press(page, "Delete");
  await pass(UNDO_MS - 1);
  expect(asked).toEqual([]);
  await pass(1);
  expect(asked).toEqual([{ method: "DELETE", path: "/v1/documents/doc_1" }]);
});

test("a deletion taken back is never sent", async () => {
  const page = await draw(<Row />);
  await press(page, "Delete");
  await press(page, "Delete");
  await press(page, "Undo");
  await pass(UNDO_MS * 3);
  expect(asked).toEqual([]);
  expect(page.textContent).toContain("a.txt");
});

test("keeping a document sends nothing", async () => {
  const page = await draw(<Row />);
  await press(page, "Delete");
  await press(page, "Keep");
  await pass(UNDO_MS * 3);
  expect(asked).toEqual([]);
});

test("a job is polled when its stream breaks off", async () => {
  vi.useRealTimers();
  const job = { id: "job_1", document_id: "doc_1", stage: "index", progress: 0.5, error: null };
  gateway({
    "GET /v1/jobs/job_1/events": () => new Response(`event: job\ndata: ${JSON.stringify({ ...job, state: "running" })}\n\n`),
    "GET /v1/jobs/job_1": () => Response.json({ ...job, state: "done" }),
  });
  const states: string[] = [];
  for await (const seen of watchJob("job_1", new AbortController().signal, 1)) states.push(seen.state);
  expect(states).toEqual(["running", "done"]);
});
