const PARAMETER = ':';
const WILDCARD = '*';

/** Which methods each path takes: of a request that has no route, the router does not say why. */
export class KnownPaths {
  private readonly methods = new Map<string, Set<string>>();

  /** @param pattern as the router has it; one with a wildcard makes no path known */
  add(pattern: string, methods: string | readonly string[]): void {
    if (pattern.includes(WILDCARD)) return;
    const known = this.methods.get(pattern) ?? new Set();
    for (const method of [methods].flat()) known.add(method);
    this.methods.set(pattern, known);
  }

  /** @returns the methods that the path of an address takes, for `Allow`; `''` where no route has the path */
  allowed(url: string): string {
    const path = decodeURI(url.replace(/[?#].*$/s, ''));
    const found = [...this.methods].flatMap(([pattern, methods]) =>
      isOf(pattern, path) ? [...methods] : [],
    );
    return [...new Set(found)].sort().join(', ');
  }
}

function isOf(pattern: string, path: string): boolean {
  const [parts, given] = [pattern.split('/'), path.split('/')];
  return (
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith(PARAMETER) ? given[at] !== '' : part === given[at]))
  );
}
