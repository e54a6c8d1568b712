/** Stages and passages as the gateway sends them, made small. */
import type { Candidate, PlannedStage, StageResult } from "../src/api/types";

export function candidate(id: string, stage: string, rank: number, more: Partial<Candidate> = {}): Candidate {
  const score = 1 / rank;
  return {
    chunk_id: id,
    span: { document_id: "doc_1", start: rank * 10, end: rank * 10 + 5 },
    evidence: [{ stage, rank, score, score_type: "BM25", parts: [{ label: "word", value: score }] }],
    source: { title: `Title of ${id}`, section: [], page_label: "", page_number: null, file_name: `${id}.txt` },
    text: `Text of ${id}`,
    rank,
    score,
    score_type: "BM25",
    ...more,
  };
}

export function planned(id: string, inputs: string[] = [], label = ""): PlannedStage {
  return { id, name: id, kind: "retrieve", inputs, ...(label ? { label } : {}) };
}

export function result(stage: PlannedStage, ids: string[], more: Partial<StageResult> = {}): StageResult {
  return {
    ...stage,
    candidates: ids.map((id, index) => candidate(id, stage.id, index + 1)),
    started_ms: 0,
    duration_ms: 5,
    params: {},
    notes: [],
    error: null,
    ...more,
  };
}
