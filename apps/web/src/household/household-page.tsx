import { useSession } from '../shell/household-context.js';
import { useTitle } from '../shell/title.js';
import '../styles/settings.css';
import { Endings } from './endings.js';
import { HouseholdForm } from './household-form.js';
import { Invites } from './invites.js';
import { Members } from './members.js';
import { OtherHouseholds } from './other-households.js';

export default function HouseholdPage() {
  const { household } = useSession();
  useTitle('Household');
  return (
    <div className="settings">
      <h1>{household.name}</h1>
      <HouseholdForm key={household.id} />
      <Members />
      {!household.archived && <Invites />}
      <OtherHouseholds />
      <Endings />
    </div>
  );
}
