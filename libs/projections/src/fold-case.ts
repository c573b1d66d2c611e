/**
 * Text as it is compared without regard to case. By way of upper case, so that letters without a single capital
 * (ß and SS) meet, and of lower case before it, for the capital that stays what it is there (ẞ); a final sigma is the
 * same letter as any other.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
