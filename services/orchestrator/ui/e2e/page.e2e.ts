/** Does the whole page work for a person: add a document, ask, watch, read the passage, find it again, remove it? */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { open, type Session } from "./browser";

const tag = `zq${randomBytes(5).toString("hex")}`;
const name = `gauge-${tag}.md`;
const fact = `The ${tag} gauge must be recalibrated every 417 days by two persons.`;
const question = `How often must the ${tag} gauge be recalibrated?`;
const document = `# Handbook of the ${tag} gauge 😀

The emoji 😀 and 𝔘 before the fact move every offset that is not counted in code points.

## Recalibration

${fact} Its seal is blue.

## Storage

The gauge is kept dry, away from magnets, in the box that it came in.
`;

interface Moment {
  what: string;
  at: number;
}

let session: Session;
beforeAll(async () => {
  session = await open();
  // Notes when a finished stage and a finished answer were first on the page.
  await session.page.addInitScript(() => {
    const seen: { what: string; at: number }[] = [];
    Object.assign(window, { seenMoments: seen });
    const look = (): void => {
      for (const [what, selector] of [
        ["plan", ".node"],
        ["stage", ".node.done"],
        ["flow", ".flow-row"],
        ["answer", ".provenance"],
      ] as const) {
        if (window.document.querySelector(selector) && !seen.some((moment) => moment.what === what)) {
          seen.push({ what, at: performance.now() });
        }
      }
    };
    new MutationObserver(look).observe(window.document, { childList: true, subtree: true, attributes: true });
  });
});
afterAll(async () => {
  await session?.browser.close();
});

test("a file is added and its progress ends in ready", async () => {
  const { page, url } = session;
  await page.goto(`${url}/#/library`);
  await page.getByLabel("Files to add").setInputFiles({ name, mimeType: "text/markdown", buffer: Buffer.from(document) });
  const row = page.locator(".upload", { hasText: name });
  await row.filter({ hasText: "Ready: " }).waitFor({ timeout: 110_000 });
  expect(await row.getAttribute("class")).toContain("done");
  await page.locator(".document", { hasText: name }).waitFor();
});

test("a question shows stages before its answer, and the answer cites", async () => {
  const { page } = session;
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByLabel("Question").blur();
  await page.keyboard.press("/");
  await page.keyboard.type(question);
  await page.keyboard.press("Enter");
  await page.locator(".provenance").waitFor({ timeout: 110_000 });
  const moments = await page.evaluate(() => (window as unknown as { seenMoments: Moment[] }).seenMoments);
  const at = (what: string): number => moments.find((moment) => moment.what === what)?.at ?? NaN;
  expect(at("plan")).toBeLessThanOrEqual(at("stage"));
  expect(at("stage")).toBeLessThan(at("answer"));
  expect(at("flow")).toBeLessThan(at("answer"));
  expect(await page.locator(".prose .cite").count()).toBeGreaterThan(0);
  expect(await page.locator(".answer").textContent()).toContain("417");
});

test("a citation opens the document with exactly its quote marked", async () => {
  const { page, url } = session;
  const href = (await page.getByRole("link", { name: "Link to this trace" }).getAttribute("href")) ?? "";
  const traceId = decodeURIComponent(href.replace("#/trace/", ""));
  const trace = (await (await page.request.get(`${url}/v1/traces/${traceId}`)).json()) as {
    answer: { citations: { n: number; quote: string; title: string }[] };
  };
  const citation = trace.answer.citations.find(({ quote }) => quote.includes("417 days"));
  if (!citation) throw new Error(`no citation quotes the fact: ${JSON.stringify(trace.answer.citations)}`);
  await page.locator(".prose").getByRole("button", { name: `Citation ${citation.n}: open the passage` }).first().click();
  const mark = page.locator(".canonical mark");
  await mark.waitFor();
  expect(await mark.textContent()).toBe(citation.quote);
  expect(document.replace(/\s+/g, " ")).toContain(citation.quote.replace(/\s+/g, " "));
  expect(await mark.evaluate(isInView)).toBe(true);
  await page.getByRole("button", { name: "Close the document" }).click();
});

test("a passage can be followed through the stages by keyboard", async () => {
  const { page } = session;
  const row = page.locator(".flow-row[tabindex='0']");
  await row.focus();
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".flow-row.active").count()).toBeGreaterThan(1);
  expect(await page.locator(".link.active").count()).toBeGreaterThan(0);
  expect((await page.locator(".card table tr").count()) > 0).toBe(true);
});

test("the question is among the traces and opens again by its address", async () => {
  const { page } = session;
  await page.getByRole("link", { name: "Traces", exact: true }).click();
  await page.getByRole("link", { name: question, exact: true }).first().click();
  await page.locator(".provenance").waitFor();
  expect(page.url()).toContain("#/trace/");
  await page.reload();
  await page.locator(".provenance").waitFor();
  expect(await page.locator(".node.done").count()).toBeGreaterThan(0);
  expect(await page.locator(".answer").textContent()).toContain("417");
});

test("the document is removed after the time to take it back", async () => {
  const { page } = session;
  await page.getByRole("link", { name: "Library", exact: true }).click();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByRole("group", { name: `Delete ${name}?` }).getByRole("button", { name: "Delete" }).click();
  await page.locator(".document", { hasText: name }).getByRole("button", { name: "Undo" }).waitFor();
  await page.locator(".document", { hasText: name }).waitFor({ state: "detached", timeout: 20_000 });
});

test("the page neither complained nor called anyone else", () => {
  expect(session.faults).toEqual([]);
});

function isInView(element: Element): boolean {
  const box = element.closest(".document-text")?.getBoundingClientRect();
  const own = element.getBoundingClientRect();
  return box !== undefined && own.top >= box.top && own.top <= box.bottom;
}
