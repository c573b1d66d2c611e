import { useTitle } from '../shell/title.js';

export default function AddPage() {
  useTitle('New transaction');
  return <h1>New transaction</h1>;
}
