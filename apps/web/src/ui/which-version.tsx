import { Dialog } from './dialog.js';
import type { Overtaken } from './which.js';

/** Shows both versions. */
export default function WhichVersion({ question }: { readonly question: Overtaken }) {
  const { what, mine, theirs, answer } = question;
  return (
    <Dialog title="Somebody else changed this" isUrgent>
      <p>{what} was changed while you were editing it. Which one shall it be?</p>
      <dl className="both-versions">
        <div>
          <dt>Yours</dt>
          <dd>{mine}</dd>
        </div>
        <div>
          <dt>Theirs</dt>
          <dd>{theirs}</dd>
        </div>
      </dl>
      <div className="form-actions">
        <button type="button" className="button" onClick={() => answer('theirs')}>
          Keep theirs
        </button>
        <button type="button" className="button is-primary" autoFocus onClick={() => answer('mine')}>
          Keep mine
        </button>
      </div>
    </Dialog>
  );
}
