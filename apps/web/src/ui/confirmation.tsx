import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';
import { FormError } from './form-error.js';
import { Form } from './form.js';

interface ConfirmationProperties {
  readonly title: string;
  readonly text: ReactNode;
  /** The name of the button that does it. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** Fields that have to be filled in first. */
  readonly children?: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function Confirmation({
  title,
  text,
  action,
  run,
  onDone,
  onClose,
  children,
}: ConfirmationProperties) {
  const confirm = useMutation({
    mutationFn: run,
    meta: { showsErrors: true },
    onSuccess: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => confirm.mutate()}>
        <p>{text}</p>
        {children}
        <FormError error={confirm.error} />
        <div className="form-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button is-danger" disabled={confirm.isPending}>
            {action}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
