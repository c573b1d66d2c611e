/**
 * Names of fields as MongoDB takes them. It refuses names that begin with `$`, reads a dot as a path, and the
 * driver gives a meaning of its own to `_bsontype`; names that begin with `_` at the top of a document are ours.
 * In such names, and in those with a `%`, the character in question is written `%XX`.
 */
export function escapedName(name: string, isTop: boolean): string {
  if (!isReserved(name, isTop)) return name;
  const inside = name.replace(/[%.]/g, hexadecimal);
  return /^[$_]/.test(inside) ? hexadecimal(inside.charAt(0)) + inside.slice(1) : inside;
}

export function unescapedName(name: string): string {
  return name.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

export function isReserved(name: string, isTop: boolean): boolean {
  const first = name.charCodeAt(0);
  if (first === DOLLAR || (first === LOW_LINE && (isTop || SPECIAL.has(name)))) return true;
  return name.includes('.') || name.includes('%');
}

/** A value with the names of all its objects escaped, or unescaped, at every depth. */
export function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => renamed(element, rename));
  if (typeof value !== 'object' || value === null) return value;
  const result = {};
  for (const [name, inner] of Object.entries(value)) define(result, rename(name), renamed(inner, rename));
  return result;
}

/** Sets a field of any name, `__proto__` too. */
export function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}

const DOLLAR = 0x24;
const LOW_LINE = 0x5f;
const SPECIAL: ReadonlySet<string> = new Set(['_bsontype', '__proto__']);

function hexadecimal(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
