/** What does the gateway send? The shapes of its JSON, as the contract names them. */

export interface TextSpan {
  document_id: string;
  start: number;
  end: number;
}

export interface Part {
  label: string;
  value: number;
}

export interface Evidence {
  stage: string;
  rank: number;
  score: number;
  score_type: string;
  parts: Part[];
}

export interface Source {
  title: string;
  section: string[];
  page_label: string | null;
  page_number: number | null;
  file_name: string;
}

export interface Candidate {
  chunk_id: string;
  span: TextSpan;
  evidence: Evidence[];
  source: Source;
  text: string;
  rank: number;
  score: number;
  score_type: string;
}

/** A stage as the plan announces it: nothing has run yet. */
export interface PlannedStage {
  id: string;
  name: string;
  label?: string;
  kind: string;
  inputs: string[];
}

export interface StageResult extends PlannedStage {
  candidates: Candidate[];
  started_ms: number;
  duration_ms: number;
  params?: Record<string, unknown>;
  notes?: string[];
  error?: Problem | string | null;
  round?: number;
}

export interface Problem {
  type?: string;
  title?: string;
  status?: number;
  detail?: string;
  request_id?: string;
}

export interface Plan {
  question?: string;
  stages?: PlannedStage[];
  facets?: unknown[];
  identifiers?: unknown[];
  expansions?: unknown[];
  [key: string]: unknown;
}

export interface Citation {
  n: number;
  chunk_id: string;
  document_id: string;
  title: string;
  section: string[];
  page_label: string | null;
  page_number: number | null;
  start: number;
  end: number;
  quote: string;
  inferred?: boolean;
  matched_figures?: string[];
}

export interface Answer {
  trace_id: string;
  answer: string;
  refused: boolean;
  refusal_reason: string | null;
  citations: Citation[];
  uncited: boolean;
  unsupported: { text: string; kind: string }[];
  provider: string;
  model: string;
  usage?: Record<string, number> | null;
  timings_ms?: Record<string, number> | null;
}

export interface Trace {
  id?: string;
  trace_id?: string;
  question: string;
  stages: StageResult[];
  /** The planned stages, alone or with what else the plan event says. */
  plan?: Plan | PlannedStage[] | null;
  answer?: Answer | string | null;
  created_ms?: number;
  timings_ms?: Record<string, number> | null;
  context?: Record<string, unknown> | null;
  replay_of?: string | null;
  redacted?: boolean;
  notes?: string[];
}

export interface TraceSummary {
  id: string;
  question: string;
  created_ms: number;
  kind?: string;
  refused?: boolean | null;
  total_ms?: number | null;
  /** A stage failed, and the question was answered without it. */
  degraded?: boolean;
  redacted?: boolean;
}

export interface PageInfo {
  number: number;
  label: string;
  width: number;
  height: number;
  scanned: boolean;
}

export interface DocumentInfo {
  id: string;
  name: string;
  title?: string;
  media_type: string;
  size: number;
  version: number;
  status: "queued" | "processing" | "ready" | "failed";
  error?: Problem | string | null;
  characters: number;
  chunk_count: number;
  pages?: PageInfo[];
  page_count?: number;
  warnings?: string[];
}

export interface UploadResult {
  id: string | null;
  name: string;
  status: string;
  duplicate: boolean;
  job_id: string | null;
  error: Problem | string | null;
}

export interface Job {
  id: string;
  document_id: string | null;
  state: "queued" | "running" | "done" | "failed";
  stage: string;
  progress: number;
  error: Problem | string | null;
}
