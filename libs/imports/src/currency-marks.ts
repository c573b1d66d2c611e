import type { ContentRules } from './imported-file.js';

/** What symbols stand for; several currencies share some. */
const SYMBOLS: Readonly<Record<string, string>> = {
  $: 'USD CAD AUD NZD SGD HKD TWD MXN ARS CLP COP UYU BBD BMD BND BSD BZD CVE FJD GYD JMD KYD LRD NAD SBD SRD TTD XCD',
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD NIO',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  S$: 'SGD',
  HK$: 'HKD',
  NT$: 'TWD',
  MX$: 'MXN',
  R$: 'BRL',
  '€': 'EUR',
  '£': 'GBP EGP LBP GIP FKP SHP SSP',
  '¥': 'JPY CNY',
  円: 'JPY',
  元: 'CNY TWD',
  '₩': 'KRW KPW',
  '₹': 'INR',
  RS: 'INR PKR LKR NPR MUR SCR',
  '₽': 'RUB',
  '₺': 'TRY',
  TL: 'TRY',
  '₴': 'UAH',
  '₪': 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  '₱': 'PHP CUP',
  '₦': 'NGN',
  R: 'ZAR',
  'S/': 'PEN',
  FR: 'CHF XOF XAF XPF',
  SFR: 'CHF',
  KR: 'SEK NOK DKK ISK',
  ZŁ: 'PLN',
  KČ: 'CZK',
  FT: 'HUF',
  LEI: 'RON MDL',
  RP: 'IDR',
  RM: 'MYR',
};

/** The currencies that a code or symbol may mean; null for one that means none. */
export function currencyIn(
  token: string,
  { isCurrency }: Pick<ContentRules, 'isCurrency'>,
): readonly string[] | null {
  const upper = token.toUpperCase();
  if (Object.hasOwn(SYMBOLS, upper)) return SYMBOLS[upper]!.split(' ');
  return isCurrency(upper) ? [upper] : null;
}

/** The currencies that the name of a column states, as `Betrag (€)` and `Gutschrift in CHF` do. */
export function currencyOfColumn(
  name: string,
  rules: Pick<ContentRules, 'isCurrency'>,
): readonly string[] | null {
  const [, inParentheses] = /[([]\s*([^)\]]{1,4}?)\s*[)\]]/.exec(name) ?? [];
  const [, atEnd] = /(?:\s|_)(\p{Lu}{3})$/u.exec(name.trim()) ?? [];
  const token = inParentheses ?? atEnd;
  return token === undefined ? null : currencyIn(token, rules);
}
