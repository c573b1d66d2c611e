import { signal, useSignal, type Signal } from './signal.js';
import { Dialog } from './dialog.js';

/** Two versions of something that two people changed at once. */
interface Overtaken {
  readonly what: string;
  readonly mine: string;
  readonly theirs: string;
  readonly answer: (choice: 'mine' | 'theirs') => void;
}

const questions: Signal<readonly Overtaken[]> = signal<readonly Overtaken[]>([]);

/** Shows both versions and lets the person choose. */
export function askWhich(question: Omit<Overtaken, 'answer'>): Promise<'mine' | 'theirs'> {
  return new Promise(resolve => {
    const asked: Overtaken = {
      ...question,
      answer: choice => {
        questions.set(questions.get().filter(other => other !== asked));
        resolve(choice);
      },
    };
    questions.set([...questions.get(), asked]);
  });
}

export function WhichVersion() {
  const [question] = useSignal(questions);
  if (!question) return null;
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
