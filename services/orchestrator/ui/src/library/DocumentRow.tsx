/** What is known of one document, and how is it removed? */
import { useState } from "preact/hooks";
import { originalUrl } from "../api/client";
import { sentenceOf } from "../api/problem";
import type { DocumentInfo } from "../api/types";
import { bytes, count } from "../shell/format";
import type { Deletions } from "./useDeletions";

export function DocumentRow({ document, deletions }: { document: DocumentInfo; deletions: Deletions }) {
  const [confirming, setConfirming] = useState(false);
  const { id, name, title, status, version } = document;
  const problem = deletions.problems.get(id);
  if (deletions.waiting.has(id)) {
    return (
      <li class="document leaving">
        <span class="document-name">{name}</span>
        <span class="document-ask" role="status">
          Deleting in a few seconds
          <button type="button" class="button small" onClick={() => deletions.undo(id)}>
            Undo
          </button>
        </span>
      </li>
    );
  }
  return (
    <li class={`document ${status}`}>
      <span class="document-name">
        <a href={originalUrl(id)} target="_blank" rel="noopener">
          {name}
        </a>
        {title && title !== name ? <small>{title}</small> : null}
      </span>
      {status !== "ready" ? <span class={`badge ${status}`}>{status}</span> : null}
      {version > 1 && status === "ready" ? <span class="badge">version {version}</span> : null}
      <span class="document-facts">{facts(document)}</span>
      {confirming ? (
        <span class="document-ask" role="group" aria-label={`Delete ${name}?`}>
          Delete it everywhere?
          <button
            type="button"
            class="button small danger"
            onClick={() => {
              setConfirming(false);
              deletions.remove(id);
            }}
          >
            Delete
          </button>
          <button type="button" class="button small" onClick={() => setConfirming(false)}>
            Keep
          </button>
        </span>
      ) : (
        <button type="button" class="button small quiet" aria-label={`Delete ${name}`} onClick={() => setConfirming(true)}>
          Delete
        </button>
      )}
      {document.error ? <p class="document-note bad">{sentenceOf(document.error)}</p> : null}
      {problem ? <p class="document-note bad">It could not be deleted: {sentenceOf(problem)}</p> : null}
      {(document.warnings ?? []).map((warning) => (
        <p key={warning} class="document-note">
          {warning}
        </p>
      ))}
    </li>
  );
}

function facts(document: DocumentInfo): string {
  const pages = document.page_count ?? document.pages?.length ?? 0;
  const scanned = (document.pages ?? []).filter((page) => page.scanned).length;
  return [
    pages > 0 ? count(pages, "page") + (scanned > 0 ? ` (${scanned} scanned)` : "") : "",
    document.status === "ready" ? count(document.chunk_count, "passage") : "",
    bytes(document.size),
  ]
    .filter(Boolean)
    .join(" · ");
}
