/**
 * Text as it is compared without regard to case. Upper case first, so that letters without a single capital
 * (ß and SS) meet; a final sigma is the same letter as any other.
 */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}
