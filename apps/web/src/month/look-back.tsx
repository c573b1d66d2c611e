import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { today } from '../format/dates.js';
import { Dialog } from '../ui/dialog.js';
import { TextField } from '../ui/field.js';
import { Form } from '../ui/form.js';

/** Asks for the day at whose end the month is shown. */
export default function LookBack({ onClose }: { readonly onClose: () => void }) {
  const [, setSearch] = useSearchParams();
  const [date, setDate] = useState(today());
  return (
    <Dialog title="Look back" onClose={onClose}>
      <Form
        onSubmit={() => {
          setSearch({ as_of: date });
          onClose();
        }}
      >
        <p>See this month as it stood at the end of a day.</p>
        <TextField
          label="Date"
          type="date"
          required
          autoFocus
          max={today()}
          value={date}
          onChange={setDate}
        />
        <div className="form-actions">
          <button type="submit" className="button is-primary">
            Show
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
