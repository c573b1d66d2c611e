import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { signOut } from '../session/session-commands.js';
import { useTitle } from '../shell/title.js';
import '../styles/settings.css';
import { AppSettings } from './app-settings.js';
import { Deletion } from './deletion.js';
import { Profile } from './profile.js';
import { Sessions } from './sessions.js';
import { Tokens } from './tokens.js';

export default function AccountPage() {
  useTitle('Account');
  const navigate = useNavigate();
  const leave = useMutation({ mutationFn: signOut, onSuccess: () => navigate('/sign-in') });
  return (
    <div className="settings">
      <div className="page-head">
        <h1>Account</h1>
        <button type="button" className="button" disabled={leave.isPending} onClick={() => leave.mutate()}>
          Sign out
        </button>
      </div>
      <Profile />
      <AppSettings />
      <Sessions />
      <Tokens />
      <Deletion />
    </div>
  );
}
