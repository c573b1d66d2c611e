/** What is being done, and how much of it. */
export interface Step {
  readonly label: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  readonly done: number;
  /** Null if the amount is unknown. */
  readonly total: number | null;
}

/** Told of the steps of long work. */
export type OnStep = (step: Step) => void;
