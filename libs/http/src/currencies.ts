/**
 * The currencies of ISO 4217 that have a minor unit, by how many decimals it is. A table of our own, because what `Intl`
 * knows differs between versions of Node, and amounts must not. Codes are never removed: a household keeps its currency
 * when a country gives it up. Metals, baskets and test codes have no minor unit and are left out.
 */
const CODES_BY_DECIMALS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
    'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
    'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN ' +
    'MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS ' +
    'SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ' +
    'ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

/** What every code looks like; not everything that looks so is one. */
export const CURRENCY_PATTERN = '^[A-Z]{3}$';

const DECIMALS: ReadonlyMap<unknown, number> = new Map(
  Object.entries(CODES_BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.split(' ').map(code => [code, Number(decimals)]),
  ),
);

/** Whether a value is the code of a currency, in upper case. */
export function isCurrency(value: unknown): value is string {
  return DECIMALS.has(value);
}

/** How many decimals of the currency its minor unit is. @throws RangeError for an unknown currency */
export function decimalsOf(currency: string): number {
  const decimals = DECIMALS.get(currency);
  if (decimals === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`);
  return decimals;
}
