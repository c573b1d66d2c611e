import type { ReactNode } from 'react';
import { useTitle } from '../shell/title.js';

/** The frame of the pages before one is signed in. */
export function AccountFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <main className="account-frame">
      <p className="brand">
        <img src="icon.svg" alt="" width="28" height="28" /> Household Ledger
      </p>
      <div className="card account-card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
