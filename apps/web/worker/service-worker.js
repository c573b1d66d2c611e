// Keeps the files of the app, so that it opens without a network. The list is filled in by the build.
const FILES = /* the files of this build */ [];
const VERSION = /* the hash of this build */ '';
const CACHE = `app-${VERSION}`;

self.addEventListener('install', event => {
  // Only who asks for HTML gets the page: everybody else gets an answer of the API.
  const page = new Request('./', { cache: 'reload', headers: { Accept: 'text/html' } });
  const files = FILES.map(file => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll([page, ...files])));
});

self.addEventListener('activate', event => {
  event.waitUntil(
    caches
      .keys()
      .then(names => Promise.all(names.filter(name => name !== CACHE).map(name => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname))
    return;
  const path = url.pathname.slice(scope.pathname.length);
  if (request.mode === 'navigate') {
    if (!isOfService(path)) event.respondWith(fetch(request).catch(() => kept(scope.href)));
    return;
  }
  if (FILES.includes(path)) event.respondWith(kept(request).then(found => found ?? fetch(request)));
});

function kept(request) {
  return caches.match(request, { ignoreVary: true });
}

/** The service itself: never kept, never answered by the app. */
function isOfService(path) {
  return /^(v1|docs|health|metrics)(\/|$)/.test(path) || path === 'openapi.json';
}
