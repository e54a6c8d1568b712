/** Which part of a long document is in hand, and how does it grow? Offsets are code points. */

export const MARGIN = 4000;
export const STEP = 8000;

export interface TextWindow {
  start: number;
  end: number;
  text: string;
}

export interface Range {
  start: number;
  end: number;
}

/** The span with a margin on both sides, inside the document. */
export function rangeAround(start: number, end: number, characters: number): Range {
  return { start: Math.max(0, start - MARGIN), end: Math.min(characters, end + MARGIN) };
}

/** The stretch before the window that is fetched next, or null at the document's beginning. */
export function rangeBefore(window: TextWindow): Range | null {
  return window.start > 0 ? { start: Math.max(0, window.start - STEP), end: window.start } : null;
}

/** The stretch after the window that is fetched next, or null at the document's end. */
export function rangeAfter(window: TextWindow, characters: number): Range | null {
  return window.end < characters ? { start: window.end, end: Math.min(characters, window.end + STEP) } : null;
}

/** The window with a stretch that touches one of its ends. */
export function joined(window: TextWindow, range: Range, text: string): TextWindow {
  if (range.end === window.start) return { start: range.start, end: window.end, text: text + window.text };
  if (range.start === window.end) return { start: window.start, end: range.end, text: window.text + text };
  return window;
}
