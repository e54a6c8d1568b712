/** Where in the document's canonical text does the passage stand? */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { getText } from "../api/client";
import { asProblem, isAbort } from "../api/problem";
import type { Problem } from "../api/types";
import { ProblemNotice } from "../shell/Notice";
import { cutAround } from "./codepoints";
import type { Passage } from "./passage";
import { joined, rangeAfter, rangeAround, rangeBefore, type Range, type TextWindow } from "./textWindow";

export function TextView({ characters, passage }: { characters: number; passage: Passage }) {
  const [window, setWindow] = useState<TextWindow | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLElement>(null);
  const heightBefore = useRef<number | null>(null);
  const { documentId, start, end } = passage;

  useEffect(() => {
    const controller = new AbortController();
    const range = rangeAround(start, end, characters);
    setWindow(null);
    setProblem(null);
    getText(documentId, range.start, range.end, controller.signal).then(
      (text) => setWindow({ ...range, text }),
      (error: unknown) => {
        if (!isAbort(error)) setProblem(asProblem(error));
      },
    );
    return () => controller.abort();
  }, [documentId, start, end, characters]);

  const shown = window !== null;
  useLayoutEffect(() => {
    // Only the pane scrolls: scrollIntoView would move the answer away from under the reader's eyes.
    const box = scroller.current;
    if (!box || !mark.current) return;
    const offset = mark.current.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += offset - Math.min(box.clientHeight / 4, 120);
  }, [shown, start, end]);
  useLayoutEffect(() => {
    // Text added above must not push away what is being read.
    const box = scroller.current;
    if (box && heightBefore.current !== null) box.scrollTop += box.scrollHeight - heightBefore.current;
    heightBefore.current = null;
  }, [window?.start]);

  const grow = (range: Range, above: boolean): void => {
    if (above) heightBefore.current = scroller.current?.scrollHeight ?? null;
    getText(documentId, range.start, range.end).then(
      (text) => setWindow((known) => (known ? joined(known, range, text) : known)),
      (error: unknown) => setProblem(asProblem(error)),
    );
  };

  if (problem) return <ProblemNotice problem={problem} />;
  if (!window) return <p class="loading">Opening the text</p>;
  const { before, marked, after } = cutAround(window.text, window.start, start, end);
  const above = rangeBefore(window);
  const below = rangeAfter(window, characters);
  return (
    <div class="document-text" ref={scroller} tabIndex={0} aria-label="Text of the document">
      {above ? (
        <button type="button" class="button small more" onClick={() => grow(above, true)}>
          Load earlier text
        </button>
      ) : null}
      <div class="canonical">
        {before}
        <mark ref={mark}>{marked}</mark>
        {after}
      </div>
      {below ? (
        <button type="button" class="button small more" onClick={() => grow(below, false)}>
          Load later text
        </button>
      ) : null}
    </div>
  );
}
