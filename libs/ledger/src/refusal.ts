/** Why a command was refused: the codes of the ledger's rules, as clients see them. */
export type RefusalCode =
  | 'not_found'
  | 'month_exists'
  | 'already_in_month'
  | 'already_a_fund'
  | 'transaction_id_conflict'
  | 'transaction_deleted'
  | 'item_not_in_month'
  | 'splits_total_mismatch'
  | 'not_harvestable'
  | 'not_a_fund'
  | 'income_item'
  | 'income_group'
  | 'kind_mismatch'
  | 'order_mismatch'
  | 'figure_out_of_range'
  | 'month_full'
  | 'household_full'
  | 'undo_blocked';

export type RefusalDetails = Readonly<Record<string, unknown>>;

/** A rule of the ledger refused a command; nothing was recorded. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** By this mark callers recognise a refusal, of whichever library. */
  readonly refusal = true;
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }
}

/** The refusal of something that a path or a creation names and that is not there. */
export function notFound(resource: 'month' | 'group' | 'item' | 'transaction', id: string): Refusal {
  const what = resource === 'month' ? `budget for ${id}` : `${resource} ${id}`;
  return new Refusal('not_found', `This household has no ${what}.`, { resource });
}
