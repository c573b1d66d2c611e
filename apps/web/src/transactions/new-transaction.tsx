import { newTransactionId } from '#client/client';
import { useMemo } from 'react';
import { record } from '../offline/waiting.js';
import { useSession, type Session } from '../shell/household-context.js';
import { Dialog } from '../ui/dialog.js';
import { sayDone } from '../ui/toasts.js';
import { today } from '../format/dates.js';
import { emptyDraft, type Content, type Draft } from './draft.js';
import { presentLocation } from './location.js';
import { TransactionForm } from './transaction-form.js';

interface NewTransactionProperties {
  readonly onClose: () => void;
  /** What is filled in already. */
  readonly initial?: Partial<Draft>;
}

/** The dialog for a new transaction, above the page that one is on. */
export default function NewTransaction({ onClose, initial }: NewTransactionProperties) {
  const save = useRecording(onClose);
  return (
    <Dialog title="New transaction" onClose={onClose}>
      <TransactionForm initial={{ ...emptyDraft(today()), ...initial }} onSave={save} isFirstFieldFocused />
    </Dialog>
  );
}

/** Records what was typed; without a network it waits in the browser. */
export function useRecording(onDone: () => void): (content: Content) => Promise<void> {
  const session = useSession();
  // The same form sends the same id, however often its button is pressed.
  const id = useMemo(newTransactionId, []);
  return async content => {
    await recordNow(session, id, content);
    onDone();
  };
}

async function recordNow({ me, household, settings }: Session, id: string, content: Content): Promise<void> {
  const location = settings.location_opt_in && content.date === today() ? await presentLocation() : null;
  const body = { id, ...content, ...(location && { location }) };
  const isRecorded = await record({ userId: me.user.id, household: household.id, body });
  if (!isRecorded) sayDone('Saved on this device. It is sent as soon as there is a connection.');
}
