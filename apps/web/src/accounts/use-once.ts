import { useEffect, useState } from 'react';

type Progress<Result> =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly result: Result }
  | { readonly state: 'failed'; readonly error: unknown };

const started = new Map<string, Promise<unknown>>();

/** Does something once when a page is loaded, however often the component is mounted. Links work once. */
export function useOnce<Result>(key: string, run: () => Promise<Result>): Progress<Result> {
  const [progress, setProgress] = useState<Progress<Result>>({ state: 'running' });
  useEffect(() => {
    let isShown = true;
    const running = (started.get(key) ?? run()) as Promise<Result>;
    started.set(key, running);
    running.then(
      result => isShown && setProgress({ state: 'done', result }),
      (error: unknown) => isShown && setProgress({ state: 'failed', error }),
    );
    return () => {
      isShown = false;
    };
    // Only the key says what is to be done.
  }, [key]);
  return progress;
}
