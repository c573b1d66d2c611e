/** The currencies whose minor unit is not a hundredth, from ISO 4217. What `Intl` knows differs between browsers. */
const OTHER_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(OTHER_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(' ').map(code => [code, Number(decimals)] as const),
  ),
);

/** How many decimals an amount of this currency has. */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

/** What a form offers first; any other code of ISO 4217 can be typed. */
export const COMMON_CURRENCIES: readonly string[] = (
  'AUD BRL CAD CHF CLP CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW KWD MXN MYR NOK NZD PHP PLN RON SEK SGD ' +
  'THB TND TRY TWD UAH USD VND ZAR'
).split(' ');
