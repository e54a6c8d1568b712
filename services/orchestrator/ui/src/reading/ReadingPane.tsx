/** What does the document itself say? The passage in its text, or on its page. */
import { useEffect, useRef, useState } from "preact/hooks";
import { getDocument, originalUrl } from "../api/client";
import { asProblem, isAbort } from "../api/problem";
import type { DocumentInfo, Problem } from "../api/types";
import { ProblemNotice } from "../shell/Notice";
import { page, section } from "../shell/format";
import { PageView } from "./PageView";
import type { Passage } from "./passage";
import { TextView } from "./TextView";

interface Props {
  passage: Passage;
  position: string;
  onStep?: (by: number) => void;
  onClose: () => void;
}

export function ReadingPane({ passage, position, onStep, onClose }: Props) {
  const [document, setDocument] = useState<DocumentInfo | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tab, setTab] = useState<"text" | "page">("text");
  const pane = useRef<HTMLElement>(null);

  useEffect(() => {
    if (document?.id === passage.documentId) return;
    const controller = new AbortController();
    setDocument(null);
    setProblem(null);
    getDocument(passage.documentId, controller.signal).then(setDocument, (error: unknown) => {
      if (!isAbort(error)) setProblem(asProblem(error));
    });
    return () => controller.abort();
  }, [passage.documentId]);

  useEffect(() => {
    pane.current?.focus({ preventScroll: true });
    if (matchMedia("(min-width: 1000px)").matches) pane.current?.scrollIntoView({ block: "nearest" });
  }, []);

  const drawn = (document?.pages ?? []).filter((known) => known.width > 0);
  const first = passage.pageNumber ?? drawn[0]?.number ?? null;
  const hasPage = first !== null && drawn.some((known) => known.number === first);
  const where = [section(passage.section, passage.title), page(passage.pageLabel, passage.pageNumber)].filter(Boolean).join(" · ");

  return (
    <aside class="pane" ref={pane} tabIndex={-1} aria-label="Document">
      <header>
        <div class="pane-tools">
          <span class="position">{position}</span>
          <a href={originalUrl(passage.documentId)} target="_blank" rel="noopener">
            Original file
          </a>
          {onStep ? (
            <span class="stepper">
              <button type="button" class="button small" aria-label="Previous citation" onClick={() => onStep(-1)}>
                ←
              </button>
              <button type="button" class="button small" aria-label="Next citation" onClick={() => onStep(1)}>
                →
              </button>
            </span>
          ) : null}
          <button type="button" class="button small" aria-label="Close the document" onClick={onClose}>
            ✕
          </button>
        </div>
        <h2>{passage.title || document?.name || "Document"}</h2>
        {where ? <p class="where">{where}</p> : null}
        {hasPage ? (
          <div class="pane-tabs" role="tablist" aria-label="View">
            {(["text", "page"] as const).map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                class="tab"
                aria-selected={tab === name}
                onClick={() => setTab(name)}
              >
                {name === "text" ? "Text" : "Page"}
              </button>
            ))}
          </div>
        ) : null}
      </header>
      {problem ? <ProblemNotice problem={problem} /> : null}
      {document && tab === "page" && hasPage && first !== null ? (
        <PageView document={document} passage={passage} first={first} />
      ) : null}
      {document && !(tab === "page" && hasPage) ? (
        <TextView characters={document.characters} passage={passage} />
      ) : null}
      {!document && !problem ? <p class="loading">Opening the document</p> : null}
    </aside>
  );
}
