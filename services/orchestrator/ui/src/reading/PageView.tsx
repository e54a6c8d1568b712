/** How does the passage look on the printed page? */
import { useEffect, useState } from "preact/hooks";
import { pageImageUrl } from "../api/client";
import type { DocumentInfo } from "../api/types";
import { Notice } from "../shell/Notice";
import { page } from "../shell/format";
import type { Passage } from "./passage";

export function PageView({ document, passage, first }: { document: DocumentInfo; passage: Passage; first: number }) {
  const [number, setNumber] = useState(first);
  const [failed, setFailed] = useState(false);
  useEffect(() => setNumber(first), [first, passage.start, passage.end]);
  useEffect(() => setFailed(false), [number, passage.start]);
  const pages = document.pages ?? [];
  const shown = pages.find((known) => known.number === number);
  const words = page(shown?.label, number);
  return (
    <div class="document-page">
      <div class="page-tools">
        <button type="button" class="button small" disabled={number <= 1} onClick={() => setNumber(number - 1)}>
          ← Page
        </button>
        <span>
          {words} of {pages.length}
          {shown?.scanned ? ", scanned" : ""}
        </span>
        <button
          type="button"
          class="button small"
          disabled={number >= pages.length}
          onClick={() => setNumber(number + 1)}
        >
          Page →
        </button>
      </div>
      {failed ? (
        <Notice tone="warn">This page could not be drawn. Its text is under the other tab.</Notice>
      ) : (
        <div class="page-scroll">
          <img
            key={`${number} ${passage.start}`}
            src={pageImageUrl(document.id, number, passage.start, passage.end)}
            alt={`${document.name}, ${words}, with the passage marked`}
            width={shown?.width || undefined}
            height={shown?.height || undefined}
            onError={() => setFailed(true)}
          />
        </div>
      )}
    </div>
  );
}
