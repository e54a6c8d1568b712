// @vitest-environment happy-dom
/** Does a person see what the gateway said, and nothing that a document made up? */
import { afterEach, expect, test, vi } from "vitest";
import type { Answer, Citation, DocumentInfo } from "../src/api/types";
import { AnswerView } from "../src/ask/AnswerView";
import { RunView } from "../src/ask/RunView";
import { startRun, type Run } from "../src/ask/run";
import { DocumentRow } from "../src/library/DocumentRow";
import type { Deletions } from "../src/library/useDeletions";
import { TracesPage } from "../src/traces/TracesPage";
import { candidate, planned, result } from "./fixtures";
import { click, draw, gateway, settle } from "./page";

const EVIL = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';

afterEach(() => vi.unstubAllGlobals());

const text = "😀 Before. The quoted 𝔘 sentence. After.";
const quote = "The quoted 𝔘 sentence.";
const start = Array.from(text.slice(0, text.indexOf(quote))).length;

const citation: Citation = {
  n: 1,
  chunk_id: "a",
  document_id: "doc_1",
  title: "A report",
  section: ["One", "Two"],
  page_label: "K-83",
  page_number: 5,
  start,
  end: start + Array.from(quote).length,
  quote,
};

const answer: Answer = {
  trace_id: "trc_1",
  answer: "It is so [1].",
  refused: false,
  refusal_reason: null,
  citations: [citation],
  uncited: false,
  unsupported: [],
  provider: "extractive",
  model: "",
};

function answered(more: Partial<Answer> = {}, run: Partial<Run> = {}): Run {
  return { ...startRun("Is it so?"), phase: "answered", answer: { ...answer, ...more }, ...run };
}

function shown(run: Run): Promise<HTMLElement> {
  return draw(<AnswerView run={run} openN={null} onCite={() => undefined} onRetry={() => undefined} />);
}

test("the extractive answer says what it is", async () => {
  expect((await shown(answered())).textContent).toContain("extractive: sentences quoted from your documents");
});

test("another provider is named with its model", async () => {
  const page = await shown(answered({ provider: "ollama", model: "qwen3:4b" }));
  expect(page.textContent).toContain("ollama · qwen3:4b");
});

test("an answer that cites nothing is marked unverified", async () => {
  expect((await shown(answered({ uncited: true, citations: [] }))).textContent).toContain("Unverified");
  expect((await shown(answered())).textContent).not.toContain("Unverified");
});

test("a refusal gives its reason and is not called unverified", async () => {
  const page = await shown(answered({ refused: true, refusal_reason: "Too weak.", answer: "", citations: [] }));
  expect(page.textContent).toContain("Too weak.");
  expect(page.textContent).not.toContain("Unverified");
});

test("a problem shows title, detail and request id, and can be tried again", async () => {
  const problem = { title: "Too many questions", detail: "Wait a little.", request_id: "req_7" };
  const page = await shown({ ...startRun("q"), phase: "failed", problem });
  for (const words of ["Too many questions", "Wait a little.", "req_7", "Retry"]) expect(page.textContent).toContain(words);
});

test("a stage of any name is drawn before it has run, and its failure and notes are said", async () => {
  const leaves = planned("tea_leaves", [], "Tea leaves");
  const waiting = await draw(<RunView run={{ ...startRun("q"), plan: { stages: [leaves] } }} />);
  expect(waiting.querySelector(".node")?.textContent).toContain("Tea leaves");
  const results = [result(leaves, [], { error: "The pot is empty.", notes: ["Coffee was tried."] })];
  const page = await draw(<RunView run={{ ...startRun("q"), results }} />);
  expect(page.textContent).toContain("Tea leaves failed. The pot is empty.");
  expect(page.textContent).toContain("Coffee was tried.");
});

test("a citation opens the document with exactly the quote marked", async () => {
  const asked = gateway({
    "GET /v1/documents/doc_1": () => Response.json({ id: "doc_1", name: "a.pdf", characters: 37, pages: [] }),
    "GET /v1/documents/doc_1/text": () => Response.json({ text }),
  });
  const page = await draw(<RunView run={answered()} />);
  await click(page.querySelector(".prose .cite"));
  expect(page.querySelector("mark")?.textContent).toBe(quote);
  expect(page.querySelector(".canonical")?.textContent).toBe(text);
  expect(page.querySelector(".pane header")?.textContent).toContain("One › Two · p. K-83 (page 5)");
  expect(page.querySelector('[role="tab"]')).toBeNull();
  expect(asked.map(({ path }) => path)).toContain("/v1/documents/doc_1/text?start=0&end=37");
});

test("a document with drawn pages shows the page with the span asked for", async () => {
  const pages = [{ number: 5, label: "K-83", width: 612, height: 792, scanned: false }];
  gateway({
    "GET /v1/documents/doc_1": () => Response.json({ id: "doc_1", name: "a.pdf", characters: 37, pages }),
    "GET /v1/documents/doc_1/text": () => Response.json({ text }),
  });
  const page = await draw(<RunView run={answered()} />);
  await click(page.querySelector(".prose .cite"));
  await click(page.querySelectorAll('[role="tab"]')[1]);
  expect(page.querySelector(".page-scroll img")?.getAttribute("src")).toBe(
    `/v1/documents/doc_1/pages/5.png?start=${citation.start}&end=${citation.end}`,
  );
});

test("the next citation after the last is the first", async () => {
  gateway({
    "GET /v1/documents/doc_1": () => Response.json({ id: "doc_1", name: "a.pdf", characters: 37, pages: [] }),
    "GET /v1/documents/doc_1/text": () => Response.json({ text }),
  });
  const second = { ...citation, n: 2, start: 0, end: 1 };
  const page = await draw(<RunView run={answered({ citations: [citation, second] })} />);
  await click(page.querySelectorAll("button.citation")[1]);
  expect(page.querySelector("mark")?.textContent).toBe("😀");
  await click(page.querySelector('[aria-label="Next citation"]'));
  expect(page.querySelector("mark")?.textContent).toBe(quote);
});

test("words from documents and models are never markup", async () => {
  const source = { title: EVIL, section: [EVIL], page_label: EVIL, page_number: 1, file_name: EVIL };
  const list = planned("list", [], EVIL);
  const results = [
    result(list, [], { candidates: [candidate("a", "list", 1, { source, text: EVIL })], notes: [EVIL], error: EVIL }),
  ];
  const evil = { ...citation, title: EVIL, section: [EVIL], quote: EVIL };
  const run = answered({ answer: `${EVIL} [1] **${EVIL}**`, citations: [evil], model: EVIL, provider: EVIL }, { results });
  const document = { id: "doc_1", name: EVIL, title: EVIL, status: "ready", size: 1, chunk_count: 1, warnings: [EVIL] };
  const deletions: Deletions = {
    waiting: new Set(),
    gone: new Set(),
    problems: new Map(),
    remove: () => undefined,
    undo: () => undefined,
  };
  const page = await draw(
    <>
      <RunView run={run} />
      <DocumentRow document={document as unknown as DocumentInfo} deletions={deletions} />
    </>,
  );
  expect(page.querySelectorAll("img, script")).toHaveLength(0);
  expect(page.textContent?.split(EVIL).length).toBeGreaterThan(8);
  expect((globalThis as { hacked?: number }).hacked).toBeUndefined();
});

test("no source file sets HTML from a string", () => {
  const sources = import.meta.glob("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
  expect(Object.keys(sources).length).toBeGreaterThan(30);
  for (const [name, source] of Object.entries(sources)) {
    expect(source, name).not.toMatch(/innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|style="/i);
  }
});

test("no source file names a stage", () => {
  const sources = import.meta.glob("../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
  for (const [name, source] of Object.entries(sources)) {
    expect(source, name).not.toMatch(/["'`](lexical|vector|entity|identifier|fuse|rerank|select)["'`]/);
  }
});

test("earlier questions are listed with a link to each", async () => {
  gateway({
    "GET /v1/traces": () =>
      Response.json({ traces: [{ id: "trc_9", question: "Why?", created_ms: 0, kind: "query", refused: true }], total: 1 }),
  });
  const page = await draw(<TracesPage />);
  await settle();
  expect(page.querySelector("a[href='#/trace/trc_9']")?.textContent).toBe("Why?");
  expect(page.textContent).toContain("not answered");
});
