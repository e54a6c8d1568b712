/** What has been asked before? */
import { useCallback, useEffect, useState } from "preact/hooks";
import { listTraces } from "../api/client";
import { asProblem } from "../api/problem";
import type { Problem, TraceSummary } from "../api/types";
import { ProblemNotice } from "../shell/Notice";
import { Pager } from "../shell/Pager";
import { duration, when } from "../shell/format";
import { traceHref } from "../shell/route";

const PAGE = 50;

export function TracesPage() {
  const [offset, setOffset] = useState(0);
  const [traces, setTraces] = useState<TraceSummary[] | null>(null);
  const [total, setTotal] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);

  const load = useCallback(async () => {
    try {
      const page = await listTraces(offset, PAGE);
      setTraces(page.traces);
      setTotal(page.total);
      setProblem(null);
    } catch (error) {
      setProblem(asProblem(error));
    }
  }, [offset]);
  useEffect(() => void load(), [load]);

  return (
    <div class="traces">
      <h1>Traces</h1>
      <p class="lead">Every question is kept with the lists that each stage returned, so that it can be looked into later.</p>
      {problem ? <ProblemNotice problem={problem} onRetry={() => void load()} /> : null}
      {traces?.length === 0 ? (
        <p>
          Nothing has been asked yet. <a href="#/">Ask something</a>.
        </p>
      ) : null}
      <ul class="trace-list">
        {(traces ?? []).map((trace) => (
          <li key={trace.id}>
            <a href={traceHref(trace.id)}>{trace.question || "(no question)"}</a>
            <span class="trace-facts">
              {trace.refused ? <span class="badge refused">not answered</span> : null}
              {trace.degraded ? <span class="badge refused">a stage failed</span> : null}
              {trace.redacted ? <span class="badge">redacted</span> : null}
              {trace.kind ? <span class="badge">{trace.kind}</span> : null}
              {trace.total_ms != null ? <span class="num">{duration(trace.total_ms)}</span> : null}
              <time dateTime={new Date(trace.created_ms).toISOString()}>{when(trace.created_ms)}</time>
            </span>
          </li>
        ))}
      </ul>
      <Pager offset={offset} limit={PAGE} total={total} onMove={setOffset} />
    </div>
  );
}
