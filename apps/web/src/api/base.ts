/** Where the app is served, with a slash at the end: the page's `<base href>`. */
export const APP_BASE = new URL('.', document.baseURI).pathname;
