/** Are numbers and places worded as people read them? */
import { expect, test } from "vitest";
import { bytes, count, duration, page, score, scoreType, section, when } from "../src/shell/format";
import { parseRoute, traceHref } from "../src/shell/route";

test("durations keep two or three figures", () => {
  expect([0.42, 31.4, 999.4, 1240, 75_000].map(duration)).toEqual(["0.4 ms", "31 ms", "999 ms", "1.24 s", "1.3 min"]);
});

test("a printed label stands beside the physical page, unless they agree", () => {
  expect(page("K-83", 5)).toBe("p. K-83 (page 5)");
  expect(page("5", 5)).toBe("page 5");
  expect(page("", 5)).toBe("page 5");
  expect(page("iv", null)).toBe("p. iv");
  expect(page(null, null)).toBe("");
});

test("scores of any size are readable", () => {
  expect([18.42, 1.5, 0.982, 0.0164, -4.25, 0].map(score)).toEqual(["18.4", "1.50", "0.982", "0.0164", "-4.25", "0.0000"]);
});

test("counts, sizes and types are words", () => {
  expect(count(1, "document")).toBe("1 document");
  expect(count(1400, "document")).toBe("1,400 documents");
  expect(bytes(1_234_567)).toBe("1.2 MB");
  expect(scoreType("CROSS_ENCODER")).toBe("cross encoder");
  expect(scoreType("BM25")).toBe("BM25");
  expect(section(["A", "", "B"])).toBe("A › B");
  expect(section(["A", "B"], "A")).toBe("B");
  expect(when(0, 7_200_000)).toBe("2 h ago");
});

test("a trace's address opens the trace", () => {
  expect(parseRoute(traceHref("trc_1/é"))).toEqual({ view: "trace", traceId: "trc_1/é" });
  expect(parseRoute("#/library")).toEqual({ view: "library" });
  expect(parseRoute("")).toEqual({ view: "ask" });
  expect(parseRoute("#/trace/%zz")).toEqual({ view: "trace", traceId: "%zz" });
});
