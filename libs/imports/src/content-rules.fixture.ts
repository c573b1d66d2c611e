import { isDate } from '#http/calendar';
import { decimalsOf, isCurrency } from '#http/currencies';
import { AMOUNT_MAX, nameRule, NOTE_MAX } from '#http/field-rules';
import { isUlid } from '#http/ulid';
import type { ContentRules } from './imported-file.js';

const MERCHANT_MAX = 200;
const merchant = nameRule(MERCHANT_MAX);

/** The rules of the API, for a household in a currency. */
export function contentRules(currency: string): ContentRules {
  return {
    currency,
    decimals: decimalsOf(currency),
    amountMax: AMOUNT_MAX,
    merchantMax: MERCHANT_MAX,
    noteMax: NOTE_MAX,
    isDate,
    isCurrency,
    isMerchant: text => merchant.problem(text) === null,
    isId: isUlid,
  };
}
