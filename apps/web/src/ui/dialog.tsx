import type { ReactNode } from 'react';
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
        <AriaDialog className="dialog" role={isUrgent ? 'alertdialog' : 'dialog'}>
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
