// The first file of the app, and a small one: it asks for what is shown first, while the others are loaded.
import { monthName } from './format/dates.js';
import { browserLanguage } from './format/language.js';
import { loadPage } from './pages.js';
import { askEarly } from './session/early-requests.js';
import { applyStoredTheme } from './shell/theme.js';
import './styles/index.css';

const { pathname } = window.location;
askEarly(pathname).catch(() => undefined);
void import('./main.js');
// Where this fails, the page says so when it is shown.
loadPage(pathname).catch(() => undefined);
applyStoredTheme();
warmUp();

/** Has the browser load its tables for numbers and dates, which takes long, while it waits for answers and files. */
function warmUp(): void {
  new Intl.NumberFormat(browserLanguage()).format(0);
  monthName('2000-01');
}
