/** What happened to one earlier question? */
import { useEffect, useMemo, useState } from "preact/hooks";
import { getTrace } from "../api/client";
import { asProblem } from "../api/problem";
import type { Problem, Trace } from "../api/types";
import { RunView } from "../ask/RunView";
import { runOfTrace } from "../ask/run";
import { Notice, ProblemNotice } from "../shell/Notice";
import { when } from "../shell/format";

export function TracePage({ traceId }: { traceId: string }) {
  const [trace, setTrace] = useState<Trace | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    let stopped = false;
    getTrace(traceId).then(
      (found) => !stopped && setTrace(found),
      (error: unknown) => !stopped && setProblem(asProblem(error)),
    );
    return () => {
      stopped = true;
    };
  }, [traceId]);
  const run = useMemo(() => (trace ? runOfTrace(trace) : null), [trace]);

  if (problem) return <ProblemNotice problem={problem} />;
  if (!trace || !run) return <p class="loading">Opening the trace</p>;
  return (
    <div class="trace-view">
      <p class="crumb">
        <a href="#/traces">Traces</a>
        <code>{traceId}</code>
        {trace.created_ms ? <span>{when(trace.created_ms)}</span> : null}
        <button
          type="button"
          class="linklike"
          onClick={() => void navigator.clipboard?.writeText(location.href).then(() => setCopied(true))}
        >
          {copied ? "Copied" : "Copy link"}
        </button>
      </p>
      <h1 class="question">{trace.question}</h1>
      {trace.redacted ? (
        <Notice tone="calm">Passages of documents that were deleted since have been erased from this trace.</Notice>
      ) : null}
      <RunView run={run} />
    </div>
  );
}
