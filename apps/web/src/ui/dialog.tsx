import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Icon } from './icon.js';

interface DialogProperties {
  /** The dialog's name: what one does in it. */
  readonly title: string;
  readonly children: ReactNode;
  /** Called by Escape, the button and a press outside; without it the dialog stays. */
  readonly onClose?: () => void;
  /** At the side on wide screens, for what belongs to something on the page. */
  readonly isPanel?: boolean;
  /** Has to be answered before anything else. */
  readonly isUrgent?: boolean;
}

/** A dialog that holds the focus and gives it back. It is there as long as it is rendered. */
export function Dialog({ title, children, onClose, isPanel = false, isUrgent = false }: DialogProperties) {
  const dialog = useRef<HTMLElement>(null);
  useKeptFocus(dialog, onClose);
  return (
    <ModalOverlay
      className={`overlay${isPanel ? ' is-panel' : ''}`}
      isOpen
      isDismissable={onClose !== undefined}
      isKeyboardDismissDisabled={onClose === undefined}
      onOpenChange={isOpen => {
        if (!isOpen) onClose?.();
      }}
    >
      <Modal className="modal">
        <AriaDialog ref={dialog} className="dialog" role={isUrgent ? 'alertdialog' : 'dialog'}>
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose && (
              <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
                <Icon name="close" />
              </button>
            )}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Keys still reach the dialog where the button that had the focus is gone. */
function useKeptFocus(dialog: RefObject<HTMLElement | null>, onClose?: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (document.activeElement !== document.body) return;
      dialog.current?.focus();
      if (event.key === 'Escape') onClose?.();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [dialog, onClose]);
}
