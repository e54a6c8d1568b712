/** Which view does the address name? Hash routes, so that the gateway needs to know none of them. */
import { useEffect, useState } from "preact/hooks";

export type Route = { view: "ask" } | { view: "library" } | { view: "traces" } | { view: "trace"; traceId: string };

export function parseRoute(hash: string): Route {
  const [view = "", id = ""] = hash.replace(/^#\/?/, "").split("/");
  if (view === "library") return { view: "library" };
  if (view === "traces") return { view: "traces" };
  if (view === "trace" && id !== "") return { view: "trace", traceId: decoded(id) };
  return { view: "ask" };
}

export function traceHref(traceId: string): string {
  return `#/trace/${encodeURIComponent(traceId)}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
