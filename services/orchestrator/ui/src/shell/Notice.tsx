/** How is something that went wrong shown? Plainly: what, why, and the id to quote. */
import type { ComponentChildren } from "preact";
import type { Problem } from "../api/types";

export function Notice({ tone, children }: { tone: "bad" | "warn" | "calm"; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "note"}>
      {children}
    </div>
  );
}

export function ProblemNotice({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  return (
    <Notice tone="bad">
      <strong>{problem.title ?? "The request failed"}</strong>
      {problem.detail && problem.detail !== problem.title ? <p>{problem.detail}</p> : null}
      <p class="notice-foot">
        {problem.request_id ? (
          <span>
            Request <code>{problem.request_id}</code>
          </span>
        ) : null}
        {onRetry ? (
          <button type="button" class="button small" onClick={onRetry}>
            Retry
          </button>
        ) : null}
      </p>
    </Notice>
  );
}
