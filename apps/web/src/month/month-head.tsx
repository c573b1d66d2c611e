import { lazy, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { monthAfter, monthName, momentName, thisMonth, dayName } from '../format/dates.js';
import { Icon } from '../ui/icon.js';
import { useShownMonth } from './month-context.js';

const ResetDialog = lazy(() => import('./reset-dialog.js'));
const GroupDialog = lazy(() => import('./group-dialog.js'));
const LookBack = lazy(() => import('./look-back.js'));

/** The month's name, and the way to its neighbours. */
export function MonthHead({ month, asOf }: { readonly month: string; readonly asOf: string | null }) {
  const navigate = useNavigate();
  const go = (to: string) => () => void navigate(`/months/${to}`);
  return (
    <div className="month-head">
      <button
        type="button"
        className="icon-button"
        aria-label="Previous month"
        onClick={go(monthAfter(month, -1))}
      >
        <Icon name="left" />
      </button>
      <h1>{monthName(month)}</h1>
      <button type="button" className="icon-button" aria-label="Next month" onClick={go(monthAfter(month))}>
        <Icon name="right" />
      </button>
      {month !== thisMonth() && (
        <button type="button" className="button is-small" onClick={go(thisMonth())}>
          This month
        </button>
      )}
      {asOf !== null && <PastNote asOf={asOf} onEnd={go(month)} />}
    </div>
  );
}

function PastNote({ asOf, onEnd }: { readonly asOf: string; readonly onEnd: () => void }) {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(asOf) ? dayName(asOf) : readableMoment(asOf);
  return (
    <p className="banner past-note" role="status">
      <span>
        As it stood on <strong>{moment}</strong>
      </span>
      <button type="button" className="button is-small" onClick={onEnd}>
        Back to now
      </button>
    </p>
  );
}

function readableMoment(asOf: string): string {
  return Number.isNaN(Date.parse(asOf)) ? asOf : momentName(asOf);
}

/** What is done to a month as a whole. */
export function MonthFoot() {
  const { isReadOnly } = useShownMonth();
  const [open, setOpen] = useState<'group' | 'reset' | 'past' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div className="month-foot">
      {!isReadOnly && (
        <button type="button" className="button" onClick={() => setOpen('group')}>
          <Icon name="plus" /> Add group
        </button>
      )}
      <button type="button" className="button" onClick={() => setOpen('past')}>
        <Icon name="clock" /> Look back
      </button>
      {!isReadOnly && (
        <button type="button" className="button" onClick={() => setOpen('reset')}>
          Reset month
        </button>
      )}
      <Suspense>
        {open === 'group' && <GroupDialog onClose={close} />}
        {open === 'reset' && <ResetDialog onClose={close} />}
        {open === 'past' && <LookBack onClose={close} />}
      </Suspense>
    </div>
  );
}
