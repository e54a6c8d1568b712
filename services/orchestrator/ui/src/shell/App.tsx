/** What is on the page? A bar with three views, one of them shown; a running question outlives a change of view. */
import { AskPage } from "../ask/AskPage";
import { useRun } from "../ask/useRun";
import mark from "../favicon.svg";
import { LibraryPage } from "../library/LibraryPage";
import { useDeletions } from "../library/useDeletions";
import { useUploads } from "../library/useUploads";
import { TracePage } from "../traces/TracePage";
import { TracesPage } from "../traces/TracesPage";
import { Health } from "./Health";
import { useRoute, type Route } from "./route";

const VIEWS: { href: string; view: Route["view"]; label: string }[] = [
  { href: "#/", view: "ask", label: "Ask" },
  { href: "#/library", view: "library", label: "Library" },
  { href: "#/traces", view: "traces", label: "Traces" },
];

export function App() {
  const route = useRoute();
  const asking = useRun();
  const uploads = useUploads();
  const deletions = useDeletions();
  const current = route.view === "trace" ? "traces" : route.view;
  return (
    <>
      <header class="bar">
        <a class="wordmark" href="#/" onClick={() => asking.run?.phase !== "running" && asking.clear()}>
          <img src={mark} alt="" width="22" height="22" />
          Sightline
        </a>
        <nav aria-label="Views">
          {VIEWS.map(({ href, view, label }) => (
            <a key={view} href={href} aria-current={current === view ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <Health />
      </header>
      <main class={`view ${route.view}`}>
        {route.view === "ask" ? <AskPage asking={asking} /> : null}
        {route.view === "library" ? <LibraryPage uploads={uploads} deletions={deletions} /> : null}
        {route.view === "traces" ? <TracesPage /> : null}
        {route.view === "trace" ? <TracePage key={route.traceId} traceId={route.traceId} /> : null}
      </main>
    </>
  );
}
