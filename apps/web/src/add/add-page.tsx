import { useState } from 'react';
import { useNavigate } from 'react-router';
import { today } from '../format/dates.js';
import { useTitle } from '../shell/title.js';
import { emptyDraft } from '../transactions/draft.js';
import { useRecording } from '../transactions/new-transaction.js';
import { TransactionForm } from '../transactions/transaction-form.js';

/** A new transaction, ready to type in at once, also without a network. */
export default function AddPage() {
  useTitle('New transaction');
  const [count, setCount] = useState(0);
  return (
    <div className="narrow">
      <h1>New transaction</h1>
      <AddForm key={count} onDone={() => setCount(count + 1)} />
    </div>
  );
}

function AddForm({ onDone }: { readonly onDone: () => void }) {
  const navigate = useNavigate();
  const save = useRecording(onDone);
  return (
    <TransactionForm
      initial={emptyDraft(today())}
      onSave={save}
      isFirstFieldFocused
      actions={
        <button type="button" className="button" onClick={() => void navigate('/transactions?view=all')}>
          All transactions
        </button>
      }
    />
  );
}
