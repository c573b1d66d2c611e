/** Takes all steps of a work at once. Where others wait meanwhile, whoever drives it lets them in between two steps. */
export function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
