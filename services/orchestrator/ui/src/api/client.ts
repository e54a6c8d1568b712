/** How does the page call the gateway? One function for each thing it asks. */
import { ProblemError, problemOf } from "./problem";
import { readEvents, type ServerEvent } from "./sse";
import type { DocumentInfo, Job, Trace, TraceSummary, UploadResult } from "./types";

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, init);
  if (!response.ok) throw new ProblemError(await problemOf(response));
  return response;
}

async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = new Headers(init.headers);
  headers.set("Accept", "application/json");
  return (await (await request(path, { ...init, headers })).json()) as T;
}

const id = encodeURIComponent;

/** The events of one streamed question. */
export async function* streamQuery(question: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await request("/v1/query", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify({ question }),
    signal,
  });
  if (response.body) yield* readEvents(response.body);
}

export interface DocumentPage {
  documents: DocumentInfo[];
  total: number;
}

export function listDocuments(offset: number, limit: number): Promise<DocumentPage> {
  return json(`/v1/documents?offset=${offset}&limit=${limit}`);
}

export function getDocument(documentId: string, signal?: AbortSignal): Promise<DocumentInfo> {
  return json(`/v1/documents/${id(documentId)}`, signal ? { signal } : {});
}

export async function deleteDocument(documentId: string): Promise<void> {
  await request(`/v1/documents/${id(documentId)}`, { method: "DELETE" });
}

/** Canonical text between two code point offsets. */
export async function getText(documentId: string, start: number, end: number, signal?: AbortSignal): Promise<string> {
  const path = `/v1/documents/${id(documentId)}/text?start=${start}&end=${end}`;
  return (await json<{ text: string }>(path, signal ? { signal } : {})).text;
}

export function pageImageUrl(documentId: string, page: number, start: number, end: number): string {
  return `/v1/documents/${id(documentId)}/pages/${page}.png?start=${start}&end=${end}`;
}

export function originalUrl(documentId: string): string {
  return `/v1/documents/${id(documentId)}/original`;
}

export async function uploadFile(file: File): Promise<UploadResult> {
  const body = new FormData();
  body.append("file", file, file.name);
  return only(await json<{ documents: UploadResult[] }>("/v1/documents", { method: "POST", body }));
}

export async function addUrl(url: string): Promise<UploadResult> {
  return only(
    await json<{ documents: UploadResult[] }>("/v1/documents", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url }),
    }),
  );
}

function only(answer: { documents: UploadResult[] }): UploadResult {
  const first = answer.documents[0];
  if (!first) throw new ProblemError({ title: "The server accepted nothing", detail: "Try the upload again." });
  return first;
}

export function getJob(jobId: string): Promise<Job> {
  return json(`/v1/jobs/${id(jobId)}`);
}

/** A job's states until it ends: live events, and polling once the stream is cut or refused. */
export async function* watchJob(jobId: string, signal: AbortSignal, pollMs = 1000): AsyncGenerator<Job> {
  try {
    const response = await request(`/v1/jobs/${id(jobId)}/events`, {
      headers: { Accept: "text/event-stream" },
      signal,
    });
    if (response.body) {
      for await (const event of readEvents(response.body)) {
        const job = JSON.parse(event.data) as Job;
        if (typeof job.state !== "string") continue;
        yield job;
        if (job.state === "done" || job.state === "failed") return;
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ProblemError && error.problem.status === 404) throw error;
  }
  while (!signal.aborted) {
    const job = await getJob(jobId);
    yield job;
    if (job.state === "done" || job.state === "failed") return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

export interface TracePage {
  traces: TraceSummary[];
  total: number;
}

export function listTraces(offset: number, limit: number): Promise<TracePage> {
  return json(`/v1/traces?offset=${offset}&limit=${limit}`);
}

export function getTrace(traceId: string): Promise<Trace> {
  return json(`/v1/traces/${id(traceId)}`);
}

export interface Readiness {
  ready: boolean;
  dependencies: Record<string, { state: string; detail: string }>;
}

/** Readiness answers 503 with the same body while something is missing, so the status is not an error here. */
export async function getReadiness(): Promise<Readiness> {
  const response = await fetch("/readyz", { headers: { Accept: "application/json" } });
  return (await response.json()) as Readiness;
}

/** The innermost headings of a document's first chunks, each once. */
export async function listSections(documentId: string): Promise<string[]> {
  const path = `/v1/documents/${id(documentId)}/chunks?offset=0&limit=20`;
  const { chunks } = await json<{ chunks: { section?: string[] }[] }>(path);
  return [...new Set(chunks.map((chunk) => chunk.section?.at(-1) ?? "").filter((heading) => heading !== ""))];
}
