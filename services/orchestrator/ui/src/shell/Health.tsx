/** Can questions be answered right now, and if not fully, what is missing? */
import { useEffect, useState } from "preact/hooks";
import { getReadiness, type Readiness } from "../api/client";

const EVERY_MS = 15_000;

export function Health() {
  const [readiness, setReadiness] = useState<Readiness | "away" | null>(null);
  useEffect(() => {
    let stopped = false;
    const look = (): void => {
      if (document.hidden) return;
      getReadiness().then(
        (found) => !stopped && setReadiness(found),
        () => !stopped && setReadiness("away"),
      );
    };
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, []);
  if (readiness === null) return <span class="health" />;
  if (readiness === "away") return <span class="health down">Server unreachable</span>;
  const dependencies = Object.entries(readiness.dependencies ?? {});
  const wrong = dependencies.filter(([, dependency]) => dependency.state === "down");
  const state = !readiness.ready ? "down" : wrong.length > 0 ? "partly" : "up";
  const words = { up: "Ready", partly: `Ready without ${wrong.map(([name]) => name).join(", ")}`, down: "Not ready" };
  return (
    <details class={`health ${state}`}>
      <summary>{words[state]}</summary>
      <ul>
        {dependencies.map(([name, { state: how, detail }]) => (
          <li key={name}>
            <b>{name}</b> <span class={`state ${how}`}>{how}</span>
            {detail ? <small>{detail}</small> : null}
          </li>
        ))}
      </ul>
    </details>
  );
}
