import { useTitle } from '../shell/title.js';

export default function ImportPage() {
  useTitle('Import');
  return <h1>Import</h1>;
}
