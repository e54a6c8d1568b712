/** How does a question get from the box to the screen, and how is it stopped? */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { streamQuery } from "../api/client";
import { asProblem, isAbort } from "../api/problem";
import { advance, ended, startRun, type Run } from "./run";

export interface Asking {
  run: Run | null;
  ask: (question: string) => void;
  stop: () => void;
  clear: () => void;
}

export function useRun(): Asking {
  const [run, setRun] = useState<Run | null>(null);
  const controller = useRef<AbortController | null>(null);

  const ask = useCallback((question: string) => {
    controller.current?.abort();
    const mine = new AbortController();
    controller.current = mine;
    let current = startRun(question);
    let painting = 0;
    // Tokens may come faster than frames: the state is folded at once and painted once a frame.
    const show = (next: Run): void => {
      current = next;
      if (painting === 0) {
        painting = requestAnimationFrame(() => {
          painting = 0;
          if (controller.current === mine) setRun(current);
        });
      }
    };
    setRun(current);
    void (async () => {
      try {
        for await (const event of streamQuery(question, mine.signal)) show(advance(current, event));
        show(ended(current));
      } catch (error) {
        if (isAbort(error) || mine.signal.aborted) show({ ...current, phase: "stopped" });
        else show({ ...current, phase: "failed", problem: asProblem(error) });
      }
    })();
  }, []);

  const stop = useCallback(() => controller.current?.abort(), []);
  const clear = useCallback(() => {
    controller.current?.abort();
    controller.current = null;
    setRun(null);
  }, []);
  useEffect(() => () => controller.current?.abort(), []);
  return { run, ask, stop, clear };
}
