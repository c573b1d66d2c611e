import { Link } from 'react-router';
import { useTitle } from './title.js';

export default function NotFoundPage() {
  useTitle('Not found');
  return (
    <div className="notice">
      <h1>There is no such page</h1>
      <p>The address may be mistyped, or the page has moved.</p>
      <Link className="button" to="/">
        Go to this month
      </Link>
    </div>
  );
}
