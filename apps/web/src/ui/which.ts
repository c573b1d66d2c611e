import { signal, type Signal } from './signal.js';

/** Two versions of something that two people changed at once. */
export interface Overtaken {
  readonly what: string;
  readonly mine: string;
  readonly theirs: string;
  readonly answer: (choice: 'mine' | 'theirs') => void;
}

/** What waits for a choice, the oldest first. */
export const questions: Signal<readonly Overtaken[]> = signal<readonly Overtaken[]>([]);

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
