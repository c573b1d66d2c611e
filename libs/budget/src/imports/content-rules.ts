import { AMOUNT_MAX, isDate, isUlid, MERCHANT_MAX, nameRule, NOTE_MAX } from '#http/field-rules';
import { decimalsOf, isCurrency } from '#http/currencies';
import type { ContentRules } from '#imports/imported-file';

const merchant = nameRule(MERCHANT_MAX);

/** What `POST /transactions` takes in a household with a currency: what a preview proposes must be accepted there. */
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
