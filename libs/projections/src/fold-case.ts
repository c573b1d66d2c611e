/** The dot that upper case puts on a letter which has one anyway: the capital İ is i with it. */
const DOT_ON_SOFT_DOTTED = /\u0307(?<=\p{Soft_Dotted}\p{M}*)/gu;

/**
 * Text as it is compared without regard to case. By way of upper case, so that letters without a single capital
 * (ß and SS) and both Turkish letters i meet, and of lower case before it, for the capital that stays what it is there
 * (ẞ); a final sigma is the same letter as any other.
 *
 * Stored documents are found by it: where it changes, the index field `merchant_folded` and the collection of merchants
 * need another name, so that both are made again.
 */
export function foldCase(text: string): string {
  const folded = text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.replace(DOT_ON_SOFT_DOTTED, '').normalize('NFC');
}
