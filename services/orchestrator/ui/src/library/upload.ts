/** How far is one file on its way into the library, in words? A pure fold over what the gateway says. */
import { sentenceOf } from "../api/problem";
import type { DocumentInfo, Job, Problem, UploadResult } from "../api/types";

export type UploadPhase = "waiting" | "sending" | "working" | "done" | "duplicate" | "failed";

export interface Upload {
  key: number;
  name: string;
  phase: UploadPhase;
  /** What ingestion is doing, as it names it. */
  stage: string;
  /** 0..1 */
  progress: number;
  words: string;
  requestId: string | null;
}

export function newUpload(key: number, name: string): Upload {
  return { key, name, phase: "waiting", stage: "", progress: 0, words: "Waiting for its turn", requestId: null };
}

export function sending(upload: Upload): Upload {
  return { ...upload, phase: "sending", words: "Sending" };
}

/** After the gateway's 202: refused at once, known already, or on its way. */
export function accepted(upload: Upload, result: UploadResult): Upload {
  const named = { ...upload, name: result.name || upload.name };
  if (result.error || result.status === "failed") return refused(named, result.error ?? "It was refused without a reason.");
  if (result.duplicate) {
    return { ...named, phase: "duplicate", progress: 1, words: "Already in the library with the same content; nothing to do" };
  }
  if (!result.job_id) return { ...named, phase: "done", progress: 1, words: "Ready" };
  return { ...named, phase: "working", words: "Queued" };
}

export function worked(upload: Upload, job: Job): Upload {
  if (job.state === "failed") return refused(upload, job.error ?? "It failed without a reason.");
  const stage = job.stage.replace(/[_-]+/g, " ");
  if (job.state === "done") return { ...upload, phase: "done", stage, progress: 1, words: "Ready" };
  const words = job.state === "queued" ? "Queued" : stage ? stage.charAt(0).toUpperCase() + stage.slice(1) : "Working";
  return { ...upload, phase: "working", stage, progress: share(job.progress), words };
}

/** Once ready: how much of it there is, what was replaced, and what to be careful about. */
export function described(upload: Upload, document: DocumentInfo): Upload {
  const passages = `${document.chunk_count.toLocaleString("en")} ${document.chunk_count === 1 ? "passage" : "passages"}`;
  const replaced = document.version > 1 ? `, replacing the version before (now version ${document.version})` : "";
  const warned = (document.warnings ?? []).length;
  const warning = warned > 0 ? `; ${warned === 1 ? "one warning" : `${warned} warnings`}, see below` : "";
  return { ...upload, words: `Ready: ${passages}${replaced}${warning}` };
}

export function refused(upload: Upload, error: Problem | string): Upload {
  const requestId = typeof error === "object" ? (error.request_id ?? null) : null;
  return { ...upload, phase: "failed", words: sentenceOf(error), requestId };
}

export function isOver({ phase }: Upload): boolean {
  return phase === "done" || phase === "duplicate" || phase === "failed";
}

function share(progress: number): number {
  return Number.isFinite(progress) ? Math.min(1, Math.max(0, progress)) : 0;
}
