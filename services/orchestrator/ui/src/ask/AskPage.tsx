/** How does a person ask? A box, a few examples, and below it everything that happens to the question. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Examples } from "./Examples";
import { RunView } from "./RunView";
import type { Asking } from "./useRun";

export function AskPage({ asking }: { asking: Asking }) {
  const { run, ask, stop } = asking;
  const [question, setQuestion] = useState(run?.question ?? "");
  const box = useRef<HTMLTextAreaElement>(null);
  const running = run?.phase === "running";

  const send = (text: string): void => {
    const trimmed = text.trim();
    if (trimmed === "") {
      box.current?.focus();
      return;
    }
    setQuestion(trimmed);
    ask(trimmed);
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        box.current?.focus();
        box.current?.select();
      } else if (event.key === "Escape" && running) {
        stop();
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [running, stop]);

  useEffect(() => {
    if (!run) setQuestion("");
  }, [run === null]);
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, []);

  return (
    <div class={run ? "ask" : "ask empty"}>
      {run ? null : (
        <div class="welcome">
          <h1>Ask your documents</h1>
          <p>You see every step of the search, and every sentence of the answer opens the passage it rests on.</p>
        </div>
      )}
      <form
        class="asker"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          send(question);
        }}
      >
        <textarea
          ref={box}
          rows={1}
          value={question}
          placeholder="Ask a question"
          aria-label="Question"
          enterkeyhint="search"
          onInput={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              send(question);
            }
          }}
        />
        {running ? (
          <button type="button" class="button stop" onClick={stop}>
            Stop <kbd>Esc</kbd>
          </button>
        ) : (
          <button type="submit" class="button primary">
            Ask
          </button>
        )}
      </form>
      {run ? <RunView run={run} onRetry={() => send(run.question)} /> : <Examples onPick={send} />}
    </div>
  );
}
