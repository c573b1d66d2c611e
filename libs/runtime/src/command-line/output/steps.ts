import type { Step } from '../../backup/step.js';
import { Progress } from './progress.js';
import type { TextStream } from './terminal.js';

/** A bar for each step of long work, one after the other. */
export class Steps {
  private label = '';
  private bar: Progress | null = null;

  constructor(private readonly stream: TextStream) {}

  readonly show = (step: Step): void => {
    if (this.label !== step.label) {
      this.end();
      this.bar = new Progress(this.stream, step.label, step.unit);
      this.label = step.label;
    }
    this.bar?.moveTo(step.done, step.total);
  };

  end(): void {
    this.bar?.end();
    this.bar = null;
    this.label = '';
  }
}
