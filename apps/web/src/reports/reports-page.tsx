import { useTitle } from '../shell/title.js';

export default function ReportsPage() {
  useTitle('Reports');
  return <h1>Reports</h1>;
}
