import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { APP_BASE } from '../api/base.js';
import { useSession } from '../shell/household-context.js';
import { Confirmation } from '../ui/confirmation.js';
import { TextField } from '../ui/field.js';
import { sayDone } from '../ui/toasts.js';
import { changeHousehold, deleteHousehold } from './household-commands.js';

/** Takes the data along, archives the household, or deletes it. */
export function Endings() {
  const { household } = useSession();
  const [isDeleting, setDeleting] = useState(false);
  const archive = useMutation({
    mutationFn: (archived: boolean) => changeHousehold(household.id, { archived }),
    onSuccess: (_, archived) => sayDone(archived ? 'The budget is archived.' : 'The budget is in use again.'),
  });
  const isOwner = household.role === 'owner';
  return (
    <section className="card" aria-labelledby="endings">
      <h2 id="endings">Export, archive, delete</h2>
      <p className="quiet small">
        The export holds everything that was recorded: as a table of transactions, or whole as JSON.
      </p>
      <div className="form-actions is-start">
        <ExportButton format="csv" />
        <ExportButton format="json" />
      </div>
      {household.personal && (
        <p className="quiet small">This is your personal household. It stays as long as your account does.</p>
      )}
      {isOwner && !household.personal && (
        <div className="form-actions is-start">
          <button
            type="button"
            className="button"
            disabled={archive.isPending}
            onClick={() => archive.mutate(!household.archived)}
          >
            {household.archived ? 'Use again' : 'Archive'}
          </button>
          <button type="button" className="button is-danger" onClick={() => setDeleting(true)}>
            Delete household
          </button>
        </div>
      )}
      {isDeleting && <Deletion onClose={() => setDeleting(false)} />}
    </section>
  );
}

function ExportButton({ format }: { readonly format: 'csv' | 'json' }) {
  const { household } = useSession();
  const download = useMutation({
    mutationFn: async () => {
      const response = await fetch(`${APP_BASE}v1/export${format === 'csv' ? '?format=csv' : ''}`, {
        headers: { 'X-Service-Household': household.id },
      });
      if (!response.ok) throw new Error('The export could not be made.');
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await response.blob());
      link.download = `${household.name}.${format}`;
      link.click();
      URL.revokeObjectURL(link.href);
    },
  });
  return (
    <button type="button" className="button" disabled={download.isPending} onClick={() => download.mutate()}>
      Export {format.toUpperCase()}
    </button>
  );
}

function Deletion({ onClose }: { readonly onClose: () => void }) {
  const { household } = useSession();
  const [name, setName] = useState('');
  return (
    <Confirmation
      title="Delete household"
      text={
        <>
          Months, transactions and history of <strong>{household.name}</strong> are gone for good, for all
          members. Nothing brings them back. Type the name of the household to go on.
        </>
      }
      action="Delete"
      run={() => deleteHousehold(household.id, name.trim().normalize('NFC'))}
      onDone={() => sayDone(`${household.name} was deleted.`)}
      onClose={onClose}
    >
      <TextField label="Name" required autoFocus autoComplete="off" value={name} onChange={setName} />
    </Confirmation>
  );
}
