/** What is the answer, who gave it, and what does it rest on? */
import type { Answer, Citation } from "../api/types";
import { Notice, ProblemNotice } from "../shell/Notice";
import { count, duration, page, section } from "../shell/format";
import { traceHref } from "../shell/route";
import { Markup } from "./Markup";
import type { Run } from "./run";

interface Props {
  run: Run;
  openN: number | null;
  onCite: (n: number) => void;
  onRetry?: () => void;
}

export function AnswerView({ run, openN, onCite, onRetry }: Props) {
  const { answer, phase } = run;
  const text = answer ? answer.answer : run.text;
  const citations = answer?.citations ?? [];
  const known = (n: number): boolean => (answer ? citations.some((citation) => citation.n === n) : true);
  return (
    <article class={citations.length > 0 ? "answer cited" : "answer"} aria-busy={phase === "running"}>
      <div>
        <p class="status" role="status">
          {statusOf(run)}
        </p>
        {answer?.refused ? <Refusal answer={answer} /> : null}
        {text && !(answer?.refused && text === answer.refusal_reason) ? (
          <div class={phase === "running" && !answer ? "prose streaming" : "prose"}>
            <Markup text={text} known={known} openN={openN} onCite={answer ? onCite : null} />
          </div>
        ) : null}
        {!text && phase === "running" ? <div class="prose pending" aria-hidden="true" /> : null}
        {phase === "stopped" ? (
          <Notice tone="calm">
            <strong>Stopped.</strong> {text ? "What had arrived is kept above." : "Nothing had been answered yet."}{" "}
            {onRetry ? (
              <button type="button" class="button small" onClick={onRetry}>
                Retry
              </button>
            ) : null}
          </Notice>
        ) : null}
        {run.problem ? <ProblemNotice problem={run.problem} {...(onRetry ? { onRetry } : {})} /> : null}
        {answer ? <Doubts answer={answer} /> : null}
        {answer ? <Provenance answer={answer} run={run} {...(onRetry ? { onRetry } : {})} /> : null}
      </div>
      {citations.length > 0 ? <Citations citations={citations} openN={openN} onCite={onCite} /> : null}
    </article>
  );
}

function statusOf({ phase, answer, text, results }: Run): string {
  if (phase === "running") return answer || text ? "Answering" : results.length > 0 ? "Searching" : "Asking";
  if (phase === "stopped") return "Stopped";
  if (phase === "failed") return "Not answered";
  if (!answer && !text) return "Searched only, without an answer";
  return answer?.refused ? "Not answered" : "Answer";
}

function Refusal({ answer }: { answer: Answer }) {
  return (
    <Notice tone="warn">
      <strong>The documents do not seem to answer this.</strong>
      {answer.refusal_reason ? <p>{answer.refusal_reason}</p> : null}
    </Notice>
  );
}

function Doubts({ answer }: { answer: Answer }) {
  const unsupported = answer.unsupported ?? [];
  const unverified = !answer.refused && (answer.uncited || (answer.citations ?? []).length === 0);
  return (
    <>
      {unverified ? (
        <Notice tone="warn">
          <strong>Unverified.</strong> This answer cites no passage; check it before you rely on it.
        </Notice>
      ) : null}
      {unsupported.length > 0 ? (
        <Notice tone="warn">
          <strong>Not found in the cited passages</strong>
          <ul>
            {unsupported.map(({ text, kind }, at) => (
              <li key={at}>
                {text} <small>{kind}</small>
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
    </>
  );
}

function Citations({ citations, openN, onCite }: { citations: Citation[]; openN: number | null; onCite: (n: number) => void }) {
  return (
    <ol class="citations" aria-label="Citations">
      {citations.map((citation) => (
        <li key={citation.n}>
          <button
            type="button"
            class="citation"
            aria-pressed={openN === citation.n}
            onClick={() => onCite(citation.n)}
          >
            <span class="n">{citation.n}</span>
            <span class="where">
              <b>{citation.title}</b>
              <span>{[section(citation.section, citation.title), page(citation.page_label, citation.page_number)].filter(Boolean).join(" · ")}</span>
            </span>
            <q>{citation.quote}</q>
            {citation.inferred ? (
              <em>
                inferred{citation.matched_figures?.length ? ` from ${citation.matched_figures.join(", ")}` : ""}, not written by
                the model
              </em>
            ) : null}
          </button>
        </li>
      ))}
    </ol>
  );
}

interface Context {
  tokens?: number;
  budget_tokens?: number;
  packed?: unknown[];
  left_out?: { reason?: string }[];
}

/** What was sent to be answered from, and what did not fit. */
function Packed({ context }: { context: Context | null }) {
  if (!context?.packed) return null;
  const left = context.left_out ?? [];
  const reasons = [...new Set(left.map(({ reason }) => reason).filter(Boolean))].join("; ");
  const tokens = context.tokens !== undefined ? ` (${count(context.tokens, "token")})` : "";
  return (
    <span title={reasons || undefined}>
      read {count(context.packed.length, "passage")}
      {tokens}
      {left.length > 0 ? `, ${left.length} left out` : ""}
    </span>
  );
}

/** Who answered, in words. */
export function providerWords(provider: string, model: string): string {
  if (provider === "extractive") return "extractive: sentences quoted from your documents";
  return [provider, model].filter((name) => name).join(" · ");
}

function Provenance({ answer, run, onRetry }: { answer: Answer; run: Run; onRetry?: () => void }) {
  const total = answer.timings_ms?.["total"];
  const words = providerWords(answer.provider ?? "", answer.model ?? "");
  const traceId = answer.trace_id || run.traceId;
  return (
    <footer class="provenance">
      {words ? <span class="provider">{words}</span> : null}
      {total !== undefined ? <span>{duration(total)}</span> : null}
      <Packed context={run.context} />
      {traceId ? <a href={traceHref(traceId)}>Link to this trace</a> : null}
      {onRetry && run.phase !== "running" ? (
        <button type="button" class="linklike" onClick={onRetry}>
          Retry
        </button>
      ) : null}
    </footer>
  );
}
