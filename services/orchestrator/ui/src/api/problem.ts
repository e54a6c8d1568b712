/** What went wrong, in words a person can act on? */
import type { Problem } from "./types";

/** A failed request, carrying the gateway's problem document. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title ?? "The request failed.");
    this.problem = problem;
  }
}

export const UNREACHABLE: Problem = {
  title: "Sightline cannot be reached",
  detail: "The server did not answer. Check that it is running, then try again.",
};

/** The problem document of a failed response; one is made up from the status if the body holds none. */
export async function problemOf(response: Response): Promise<Problem> {
  const requestId = response.headers.get("x-request-id");
  const fallback: Problem = {
    title: response.statusText || `The server answered ${response.status}`,
    detail: `The server answered with status ${response.status} and no explanation.`,
    status: response.status,
    ...(requestId ? { request_id: requestId } : {}),
  };
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? { ...fallback, ...(body as Problem) } : fallback;
  } catch {
    return fallback;
  }
}

/** Anything thrown, as a problem document. */
export function asProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof TypeError) return UNREACHABLE; // fetch's network errors
  return { title: "Something went wrong on this page", detail: error instanceof Error ? error.message : String(error) };
}

/** One sentence for an `error` field, which is a problem document or plain words. */
export function sentenceOf(error: Problem | string | null | undefined): string {
  if (!error) return "";
  return typeof error === "string" ? error : (error.detail ?? error.title ?? "Failed without a reason.");
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
