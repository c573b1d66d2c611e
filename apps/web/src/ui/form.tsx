import type { ReactNode } from 'react';

interface FormProperties {
  readonly onSubmit: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form that the app sends, not the browser. */
export function Form({ onSubmit, className = 'form', children }: FormProperties) {
  return (
    <form
      className={className}
      onSubmit={event => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
