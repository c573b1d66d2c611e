import { isDate, nameRule, isUlid } from '#http/field-rules';
import { decimalsOf, isCurrency } from '#http/currencies';
import type { ContentRules } from '#imports/imported-file';

/** Limits of `POST /transactions`. This module runs in a thread, which would load much for the classes that have them. */
const AMOUNT_MAX = 999_999_999_999;
const MERCHANT_MAX = 200;
const NOTE_MAX = 2_000;

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
