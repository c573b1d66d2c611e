import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { thisMonth } from '../format/dates.js';
import { changeDefaultHousehold } from '../session/session-commands.js';
import { Icon, type IconName } from '../ui/icon.js';
import { useSession } from './household-context.js';

const NewTransaction = lazy(() => import('../transactions/new-transaction.js'));

interface Destination {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
  /** What is below it as well. */
  readonly isMain: boolean;
}

const destinations = (): readonly Destination[] => [
  { to: `/months/${thisMonth()}`, name: 'Budget', icon: 'budget', isMain: true },
  { to: '/transactions', name: 'Transactions', icon: 'list', isMain: true },
  { to: '/activity', name: 'Activity', icon: 'clock', isMain: true },
  { to: '/reports', name: 'Reports', icon: 'chart', isMain: true },
  { to: '/household', name: 'Household', icon: 'people', isMain: false },
  { to: '/account', name: 'Account', icon: 'person', isMain: false },
];

/** At the side on wide screens, at the bottom on phones. */
export function Navigation() {
  return (
    <header className="navigation">
      <HouseholdChoice />
      <nav aria-label="Pages">
        <ul>
          {destinations().map(({ to, name, icon, isMain }) => (
            <li key={name} className={isMain ? undefined : 'is-secondary'}>
              <NavLink to={to} className={({ isActive }) => (isActive || isBelow(name) ? 'is-active' : '')}>
                <Icon name={icon} />
                <span>{name}</span>
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <AddButton />
    </header>
  );
}

/** Adds a transaction above whatever page is shown; the page for that has its own form. */
function AddButton() {
  const { household } = useSession();
  const { pathname } = useLocation();
  const [isOpen, setOpen] = useState(false);
  if (pathname === '/add' || household.archived) return null;
  return (
    <>
      <button type="button" className="button is-primary add-button" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        <span>Add transaction</span>
      </button>
      {isOpen && (
        <Suspense>
          <NewTransaction onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The budget's link leads to this month, and is the present page in every month. */
function isBelow(name: string): boolean {
  return name === 'Budget' && /\/months\/\d{4}-\d{2}$/.test(window.location.pathname);
}

function HouseholdChoice() {
  const { me, household } = useSession();
  const change = useMutation({ mutationFn: changeDefaultHousehold });
  const open = me.households.filter(({ archived, id }) => !archived || id === household.id);
  if (open.length < 2) return <p className="household-name">{household.name}</p>;
  return (
    <select
      className="household-name"
      aria-label="Household"
      value={household.id}
      disabled={change.isPending}
      onChange={event => change.mutate(event.target.value)}
    >
      {open.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
