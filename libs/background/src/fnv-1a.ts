/**
 * FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) of a text's UTF-16 units, 32 bits: spreads texts evenly, always
 * in the same way.
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
