/** The language that the person chose for the browser. */
export function browserLanguage(): string {
  const { navigator } = globalThis as { readonly navigator?: { readonly language?: string } };
  return navigator?.language ?? 'en';
}
