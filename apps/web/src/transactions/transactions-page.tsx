import { useTitle } from '../shell/title.js';

export default function TransactionsPage() {
  useTitle('Transactions');
  return <h1>Transactions</h1>;
}
