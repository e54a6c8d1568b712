/** Does a file's progress end in words a person understands? */
import { expect, test } from "vitest";
import type { DocumentInfo, Job, UploadResult } from "../src/api/types";
import { accepted, described, isOver, newUpload, worked } from "../src/library/upload";

const upload = newUpload(1, "a.pdf");
const answer: UploadResult = { id: "doc_1", name: "a.pdf", status: "queued", duplicate: false, job_id: "job_1", error: null };
const job: Job = { id: "job_1", document_id: "doc_1", state: "running", stage: "chunk_text", progress: 0.4, error: null };

test("an accepted file waits for its job", () => {
  expect(accepted(upload, answer)).toMatchObject({ phase: "working", words: "Queued" });
});

test("a duplicate is said to be one and is over", () => {
  const seen = accepted(upload, { ...answer, duplicate: true, job_id: null });
  expect(seen.phase).toBe("duplicate");
  expect(seen.words).toContain("Already in the library");
  expect(isOver(seen)).toBe(true);
});

test("a refusal gives its reason and request id", () => {
  const seen = accepted(upload, { ...answer, id: null, job_id: null, status: "failed", error: { detail: "Encrypted.", request_id: "r" } });
  expect(seen).toMatchObject({ phase: "failed", words: "Encrypted.", requestId: "r" });
});

test("a job's stage is shown as it is named, and its progress is kept within bounds", () => {
  expect(worked(upload, job)).toMatchObject({ phase: "working", words: "Chunk text", progress: 0.4 });
  expect(worked(upload, { ...job, progress: 7 }).progress).toBe(1);
});

test("a job that failed later says why", () => {
  expect(worked(upload, { ...job, state: "failed", error: { title: "Corrupt" } })).toMatchObject({
    phase: "failed",
    words: "Corrupt",
  });
});

test("a replaced version and warnings are mentioned", () => {
  const document = { chunk_count: 1, version: 3, warnings: ["x"] } as unknown as DocumentInfo;
  expect(described(worked(upload, { ...job, state: "done" }), document).words).toBe(
    "Ready: 1 passage, replacing the version before (now version 3); one warning, see below",
  );
});
