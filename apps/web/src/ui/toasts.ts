import { signal, type Signal } from './signal.js';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  /** What the button beside the text does, and its name: `Undo` for what can be taken back. */
  readonly action?: { readonly name: string; readonly run: () => void };
}

/** Short messages about what happened, the latest last. */
export const toasts: Signal<readonly Toast[]> = signal<readonly Toast[]>([]);

const SHOWN_AT_ONCE = 3;
let lastId = 0;

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id));
}

function show(toast: Omit<Toast, 'id'>): void {
  lastId += 1;
  // What was done last is what one may want to take back; what failed stays beside it.
  const others = toasts.get().filter(other => toast.kind === 'failed' || other.kind === 'failed');
  toasts.set([...others, { ...toast, id: lastId }].slice(-SHOWN_AT_ONCE));
}

/** Says that something was done, and offers to take it back. */
export function sayDone(text: string, undo?: () => void): void {
  show({ text, kind: 'done', ...(undo && { action: { name: 'Undo', run: undo } }) });
}

/** Says that something could not be done. */
export function sayFailed(text: string, action?: Toast['action']): void {
  show({ text, kind: 'failed', ...(action && { action }) });
}
