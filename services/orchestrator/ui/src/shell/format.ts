/** How are numbers, times and places worded? */

export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s` : `${(ms / 60_000).toFixed(1)} min`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ["kB", "MB", "GB"];
  let value = n / 1000;
  let at = 0;
  while (value >= 1000 && at < units.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[at] ?? ""}`;
}

/** Three significant digits, without exponents for the sizes that scores have. */
export function score(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 1) return value.toFixed(2);
  return size >= 0.001 || size === 0 ? value.toFixed(size < 0.1 ? 4 : 3) : value.toExponential(1);
}

/** "BM25", "RRF" and the like stay; "CROSS_ENCODER" becomes "cross encoder". */
export function scoreType(type: string): string {
  return type.length <= 4 ? type : type.toLowerCase().replace(/_/g, " ");
}

/** A printed label and the physical page, or whichever is known: "p. K-83 (page 5)". */
export function page(label: string | null | undefined, number: number | null | undefined): string {
  if (number == null) return label ? `p. ${label}` : "";
  return label && label !== String(number) ? `p. ${label} (page ${number})` : `page ${number}`;
}

/** Headings from the outside in; one that only repeats the title, which stands beside them, is left out. */
export function section(headings: readonly string[] | null | undefined, title = ""): string {
  const named = (headings ?? []).filter((heading) => heading !== "");
  return (named[0] === title ? named.slice(1) : named).join(" › ");
}

export function when(ms: number, now: number = Date.now()): string {
  const ago = (now - ms) / 1000;
  if (ago < 60) return "just now";
  if (ago < 3600) return `${Math.floor(ago / 60)} min ago`;
  if (ago < 86_400) return `${Math.floor(ago / 3600)} h ago`;
  return new Date(ms).toLocaleDateString("en", { year: "numeric", month: "short", day: "numeric" });
}
