import { useSearchParams } from 'react-router';

/** Where one was going before having to sign in: a path of this app, never another host. */
export function useNextPage(): string | null {
  const [search] = useSearchParams();
  const next = search.get('next');
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : null;
}

/** The same `?next=` for a link to another page of accounts. */
export function withNext(path: string, next: string | null): string {
  return next === null ? path : `${path}?next=${encodeURIComponent(next)}`;
}
