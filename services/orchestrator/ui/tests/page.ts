/** A page to draw on, and a gateway made of fixed answers. */
import { render, type ComponentChild } from "preact";
import { act } from "preact/test-utils";
import { vi } from "vitest";

export async function draw(what: ComponentChild): Promise<HTMLElement> {
  const root = document.createElement("div");
  document.body.replaceChildren(root);
  await act(() => render(what, root));
  return root;
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
}

export async function click(element: Element | null | undefined): Promise<void> {
  if (!(element instanceof HTMLElement)) throw new Error("there is nothing to click");
  await act(() => element.click());
  await settle();
}

export interface Asked {
  method: string;
  path: string;
}

/** Answers by "METHOD /path" (without the query); everything else is 404. Returns what was asked. */
export function gateway(answers: Record<string, (path: string) => Response>): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const method = init.method ?? "GET";
    asked.push({ method, path });
    const answer = answers[`${method} ${path.split("?")[0]}`];
    return answer ? answer(path) : Response.json({ title: "Not found" }, { status: 404 });
  });
  return asked;
}
