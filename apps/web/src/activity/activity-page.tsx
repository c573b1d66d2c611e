import { useTitle } from '../shell/title.js';

export default function ActivityPage() {
  useTitle('Activity');
  return <h1>Activity</h1>;
}
