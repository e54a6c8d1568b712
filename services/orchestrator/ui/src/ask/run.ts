/** What is known of one question so far? A pure fold over the events of its stream. */
import type { ServerEvent } from "../api/sse";
import type { Answer, Plan, PlannedStage, Problem, StageResult, Trace } from "../api/types";

export type Phase = "running" | "answered" | "stopped" | "failed";

export interface Run {
  question: string;
  phase: Phase;
  traceId: string | null;
  plan: Plan | null;
  results: StageResult[];
  context: Record<string, unknown> | null;
  /** Tokens of the newest round; those of earlier rounds are superseded. */
  text: string;
  round: number;
  answer: Answer | null;
  problem: Problem | null;
}

export function startRun(question: string): Run {
  return {
    question,
    phase: "running",
    traceId: null,
    plan: null,
    results: [],
    context: null,
    text: "",
    round: 0,
    answer: null,
    problem: null,
  };
}

/** The run after one event. Unknown events, and data that is no JSON object, change nothing. */
export function advance(run: Run, event: ServerEvent): Run {
  const data = parseObject(event.data);
  if (!data) return run;
  switch (event.event) {
    case "trace":
      return { ...run, traceId: String(data["trace_id"] ?? "") || null };
    case "plan":
      return { ...run, plan: { ...run.plan, ...(data as Plan) } };
    case "stage":
      return { ...run, results: withResult(run.results, completed(data as unknown as StageResult)) };
    case "context":
      return { ...run, context: data };
    case "token":
      return withToken(run, String(data["text"] ?? ""), Number(data["round"] ?? 0));
    case "answer":
      return { ...run, answer: data as unknown as Answer };
    case "error":
      return { ...run, phase: "failed", problem: data as Problem };
    case "done":
      return run.phase === "failed" ? run : { ...run, phase: "answered" };
    default:
      return run;
  }
}

/** The run once its stream has ended, however it ended. */
export function ended(run: Run): Run {
  if (run.phase !== "running") return run;
  if (run.answer) return { ...run, phase: "answered" };
  return {
    ...run,
    phase: "failed",
    problem: { title: "The answer broke off", detail: "The connection ended before the answer was complete. Ask again." },
  };
}

/** A stored trace, as the run that it once was. */
export function runOfTrace(trace: Trace): Run {
  const answer = trace.answer ?? null;
  return {
    ...startRun(trace.question),
    phase: "answered",
    traceId: trace.trace_id ?? trace.id ?? null,
    plan: Array.isArray(trace.plan) ? { stages: trace.plan } : (trace.plan ?? null),
    results: (trace.stages ?? []).map(completed),
    context: trace.context ?? null,
    text: typeof answer === "string" ? answer : "",
    answer: typeof answer === "object" ? answer : null,
  };
}

export type StageState = "waiting" | "running" | "done" | "failed";

/** A stage to draw: planned, under way or finished. */
export interface StageView extends PlannedStage {
  title: string;
  state: StageState;
  result: StageResult | null;
}

/** Every stage, planned ones in the plan's order, then those that came unannounced. */
export function stagesOf(run: Run): StageView[] {
  const finished = new Map(run.results.map((result) => [result.id, result]));
  const planned = (run.plan?.stages ?? []).map((stage) => ({ ...stage, inputs: stage.inputs ?? [] }));
  const announced = new Set(planned.map((stage) => stage.id));
  const all: PlannedStage[] = [...planned, ...run.results.filter((result) => !announced.has(result.id))];
  return all.map((stage) => {
    const result = finished.get(stage.id) ?? null;
    const ready = stage.inputs.every((input) => finished.has(input));
    const label = result?.label || stage.label;
    return {
      id: stage.id,
      name: stage.name,
      kind: stage.kind,
      inputs: result?.inputs ?? stage.inputs,
      ...(label ? { label } : {}),
      title: label || sentenceCase(stage.id),
      state: result ? (result.error ? "failed" : "done") : ready && run.phase === "running" ? "running" : "waiting",
      result,
    };
  });
}

function sentenceCase(id: string): string {
  const words = id.replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function withToken(run: Run, text: string, round: number): Run {
  if (round < run.round) return run;
  return round > run.round ? { ...run, round, text } : { ...run, text: run.text + text };
}

function withResult(results: StageResult[], result: StageResult): StageResult[] {
  return [...results.filter((known) => known.id !== result.id), result];
}

function completed(stage: StageResult): StageResult {
  return { ...stage, inputs: stage.inputs ?? [], candidates: stage.candidates ?? [] };
}

function parseObject(data: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
