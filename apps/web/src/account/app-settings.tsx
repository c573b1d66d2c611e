import { useMutation } from '@tanstack/react-query';
import { dataOf, type Schemas } from '#client/client';
import { api } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import { settingsQuery } from '../api/queries.js';
import { useSession } from '../shell/household-context.js';
import { SelectField } from '../ui/field.js';

const THEMES = [
  { value: 'system', name: 'As the device' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
] as const;

const COLUMNS = [
  { value: 'remaining', name: 'What remains' },
  { value: 'spent', name: 'What was spent' },
  { value: 'planned', name: 'Only what is planned' },
] as const;

/** How the app looks, and whether transactions carry a place. */
export function AppSettings() {
  const { settings } = useSession();
  const change = useMutation({
    mutationFn: (body: Schemas['ChangeSettingsBody']) => dataOf(api.PATCH('/settings', { body })),
    onSuccess: changed => queryClient.setQueryData(settingsQuery.queryKey, changed),
  });
  const shown = { ...settings, ...(change.isPending && change.variables) };
  return (
    <section className="card" aria-labelledby="settings">
      <h2 id="settings">Settings</h2>
      <div className="columns">
        <SelectField
          label="Theme"
          value={shown.theme}
          options={THEMES}
          onChange={theme => change.mutate({ theme: theme as typeof settings.theme })}
        />
        <SelectField
          label="Column beside the plan"
          value={shown.column_view}
          options={COLUMNS}
          onChange={view => change.mutate({ column_view: view as typeof settings.column_view })}
        />
      </div>
      <label className="choice">
        <input
          type="checkbox"
          checked={shown.location_opt_in}
          onChange={event => change.mutate({ location_opt_in: event.target.checked })}
        />
        Attach the place to transactions that I enter
      </label>
    </section>
  );
}
