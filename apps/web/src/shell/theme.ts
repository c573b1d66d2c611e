import type { Settings } from '../api/types.js';

export type Theme = Settings['theme'];

const KEY = 'theme';

/** Shows a theme, and keeps it so that the next start does not flash in another one. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the theme comes with the settings, a moment later.
  }
}

export function applyStoredTheme(): void {
  try {
    document.documentElement.dataset['theme'] = localStorage.getItem(KEY) ?? 'system';
  } catch {
    document.documentElement.dataset['theme'] = 'system';
  }
}
