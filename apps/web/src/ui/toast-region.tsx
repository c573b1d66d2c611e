import { useEffect, useState } from 'react';
import { useSignal } from './signal.js';
import { dismiss, toasts, type Toast } from './toasts.js';

const SHOWN_FOR_MS = 10_000;

/** Where toasts appear. A screen reader reads them out without the focus moving. */
export function ToastRegion() {
  const shown = useSignal(toasts);
  return (
    // Above dialogs too: react-aria leaves what is marked so usable while a dialog is open.
    <div
      className="toasts"
      role="region"
      aria-label="Messages"
      aria-live="polite"
      data-react-aria-top-layer="true"
    >
      {shown.map(toast => (
        <ToastMessage key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastMessage({ toast }: { readonly toast: Toast }) {
  // A person who reads it, or is about to press its button, is not hurried.
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismiss(toast.id), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [isHeld, toast.id]);
  const { action } = toast;
  return (
    <div
      className={`toast toast-${toast.kind}`}
      role={toast.kind === 'failed' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {action && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            dismiss(toast.id);
            action.run();
          }}
        >
          {action.name}
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => dismiss(toast.id)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m4 4 8 8m0-8-8 8" />
        </svg>
      </button>
    </div>
  );
}
