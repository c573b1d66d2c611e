import type { components } from './generated.js';
import { LedgerError } from './ledger-error.js';

/** As many as a batch takes. */
const OPERATIONS_MAX = 500;

type Operation = components['schemas']['BatchBody']['operations'][number];
type Batch = components['schemas']['Batch'];

/** A row that can be recorded. */
export interface RecordableRow {
  readonly row: number;
  readonly operation: Operation;
}

/** A row that the service has refused to record. */
interface RefusedRow {
  readonly row: number;
  readonly code: string;
  readonly message: string;
}

export interface Imported {
  recorded: number;
  /** Recorded by somebody else since the preview. */
  known: number;
  readonly refused: RefusedRow[];
}

/**
 * Records rows in pieces, each as one command. A row that is refused is left out, and the rest of its piece sent again.
 * What was recorded before is passed over, so that an import which broke off may simply be run once more.
 * @param record records one piece, and passes over what is known
 * @param imported is brought up to date with each piece, also when this throws
 * @throws LedgerError for what concerns no single row
 */
export async function recordRows(
  record: (operations: Operation[]) => Promise<Batch>,
  rows: readonly RecordableRow[],
  imported: Imported,
  onProgress: (done: number) => void,
): Promise<void> {
  let left = [...rows];
  let pieceMax = OPERATIONS_MAX;
  while (left.length > 0) {
    const piece = left.slice(0, pieceMax);
    try {
      const { replayed } = await record(piece.map(({ operation }) => operation));
      imported.recorded += piece.length - replayed.length;
      imported.known += replayed.length;
      left = left.slice(piece.length);
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      const { code, message, details } = error;
      const [index, operationsMax] = [details['index'], details['operations_max']];
      if (code === 'batch_too_large' && typeof operationsMax === 'number' && operationsMax > 0) {
        pieceMax = operationsMax;
      } else if (typeof index === 'number' && piece[index] !== undefined) {
        imported.refused.push({ row: piece[index].row, code, message });
        left.splice(index, 1);
      } else throw error;
    }
    onProgress(rows.length - left.length);
  }
}
