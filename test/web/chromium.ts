import { serverOnPath } from '#test-servers/server-on-path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The browser that `CHROME_PATH` names, else the first on the PATH; null where this machine has none, and says so. */
export function chromiumPath(): string | null {
  const path = process.env['CHROME_PATH'] || serverOnPath(...NAMES);
  if (path === null) {
    console.log('SKIPPED: the web app in a browser: CHROME_PATH is not set, and no Chromium is on the PATH');
  }
  return path;
}
