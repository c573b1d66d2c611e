import { NumberField, ObjectField, type FieldOptions } from '#http/fields';
import type { Location as LedgerLocation } from '#ledger/transactions/transaction-record';

/** The widest radius of a location, in metres. */
const ACCURACY_M_MAX = 1_000_000;

/** Where a transaction was made: all three fields, or no location. */
export class Location {
  @NumberField({ min: -90, max: 90, description: 'Degrees north', example: 52.5163 })
  lat!: number;

  @NumberField({ min: -180, max: 180, description: 'Degrees east', example: 13.3777 })
  lng!: number;

  @NumberField({ min: 0, max: ACCURACY_M_MAX, description: 'Radius in metres', example: 12 })
  accuracy_m!: number;
}

export function LocationField(options: FieldOptions = {}): PropertyDecorator {
  return ObjectField(() => Location, options);
}

export function toLocation({ lat, lng, accuracy_m }: Location): LedgerLocation {
  return { lat, lng, accuracyM: accuracy_m };
}
