import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode, sentenceOf } from '../api/sentences.js';
import { queryClient } from '../api/query-client.js';
import type { Transaction } from '../api/queries.js';
import { dateName, momentName } from '../format/dates.js';
import { useSession } from '../shell/household-context.js';
import { Dialog } from '../ui/dialog.js';
import { draftOf, type Content } from './draft.js';
import { changeTransaction, deleteTransaction, restoreTransaction } from './transaction-commands.js';
import { TransactionForm } from './transaction-form.js';
import { readTransaction, transactionHistoryQuery, transactionQuery } from './transaction-queries.js';

/** The dialog of one transaction: its fields, who changed it, deletion and return. */
export function EditTransaction({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { household } = useSession();
  const { data, error } = useQuery(transactionQuery(household.id, id));
  return (
    <Dialog title="Edit transaction" onClose={onClose}>
      {error && <p role="alert">{sentenceOf(error)}</p>}
      {data && data.transaction.status === 'deleted' && (
        <Deleted transaction={data.transaction} onClose={onClose} />
      )}
      {data && data.transaction.status !== 'deleted' && (
        <Fields key={data.etag} transaction={data.transaction} etag={data.etag} onClose={onClose} />
      )}
      {data && <History id={id} />}
    </Dialog>
  );
}

interface FieldsProperties {
  readonly transaction: Transaction;
  readonly etag: string | null;
  readonly onClose: () => void;
}

/** Somebody else changed the transaction since it was read. */
interface Overtaken {
  readonly mine: Content;
  readonly theirs: Transaction;
  readonly etag: string | null;
}

function Fields({ transaction, etag, onClose }: FieldsProperties) {
  const { household, money } = useSession();
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const save = async (content: Content, basedOn: string | null): Promise<void> => {
    try {
      await changeTransaction(household.id, transaction.id, content, basedOn);
      onClose();
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error;
      const now = await readTransaction(household.id, transaction.id);
      setOvertaken({ mine: content, theirs: now.transaction, etag: now.etag });
    }
  };
  const remove = async (): Promise<void> => {
    await deleteTransaction(household.id, transaction.id);
    onClose();
  };
  return (
    <>
      {overtaken && (
        <Choice
          overtaken={overtaken}
          onMine={() => void save(overtaken.mine, overtaken.etag)}
          onTheirs={() => {
            queryClient.setQueryData(transactionQuery(household.id, transaction.id).queryKey, {
              transaction: overtaken.theirs,
              etag: overtaken.etag,
            });
          }}
        />
      )}
      <TransactionForm
        initial={draftOf(transaction, money.plain)}
        onSave={content => save(content, etag)}
        actions={
          <button type="button" className="button is-danger" onClick={() => void remove()}>
            Delete
          </button>
        }
      />
    </>
  );
}

function Choice({
  overtaken: { mine, theirs },
  onMine,
  onTheirs,
}: {
  readonly overtaken: Overtaken;
  readonly onMine: () => void;
  readonly onTheirs: () => void;
}) {
  const { money } = useSession();
  const text = (content: Pick<Content, 'amount' | 'merchant' | 'date' | 'note'>): string =>
    [money.full(content.amount), content.merchant, dateName(content.date), content.note]
      .filter(Boolean)
      .join(' · ');
  return (
    <div className="form-error" role="alert">
      <p>
        {theirs.updated_by_name ?? 'Somebody'} changed this while you were typing. Which one do you want to
        keep?
      </p>
      <dl className="versions">
        <dt>Theirs</dt>
        <dd>{theirs.status === 'deleted' ? 'Deleted' : text(theirs)}</dd>
        <dt>Yours</dt>
        <dd>{text(mine)}</dd>
      </dl>
      <div className="form-actions">
        <button type="button" className="button is-small" onClick={onTheirs}>
          Keep theirs
        </button>
        <button type="button" className="button is-small is-primary" onClick={onMine}>
          Save mine
        </button>
      </div>
    </div>
  );
}

function Deleted({
  transaction,
  onClose,
}: {
  readonly transaction: Transaction;
  readonly onClose: () => void;
}) {
  const { household, money } = useSession();
  return (
    <div className="form">
      <p>
        {transaction.merchant}, {money.full(transaction.amount)}, {dateName(transaction.date)}. It was deleted
        {transaction.deleted_at && ` on ${momentName(transaction.deleted_at)}`}.
      </p>
      <div className="form-actions">
        <button
          type="button"
          className="button is-primary"
          onClick={() => void restoreTransaction(household.id, transaction.id).then(onClose)}
        >
          Restore
        </button>
      </div>
    </div>
  );
}

function History({ id }: { readonly id: string }) {
  const { household } = useSession();
  const { data = [] } = useQuery(transactionHistoryQuery(household.id, id));
  return (
    <details className="history">
      <summary>History</summary>
      <ol>
        {data.map(entry => (
          <li key={entry.event_id}>
            {entry.summary} <span className="quiet small">{momentName(entry.at)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
