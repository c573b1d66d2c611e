import type { ColumnField } from '../imported-file.js';

/** What else a column may be. */
export type FurtherField = 'currency' | 'status' | 'direction';

/**
 * The names of columns in the statements of banks, as `columnWord` writes them. Of a file that has several, the first of
 * the list counts.
 */
export const HEADER_WORDS: Readonly<Record<ColumnField | FurtherField, readonly string[]>> = {
  date: lines(`
    transaction date|date of transaction|buchungstag|buchungsdatum|buchung|booking date|booked date|date
    completed date|datum|buchungsdatum|date operation|date d'operation|date de l'operation|date de comptabilisation
    date comptable|posting date|posted date|post date|posted|started date|created|data|data operazione|data contabile
    data lancamento|data do lancamento|data mov.|fecha|fecha operacion|fecha de operacion|f. operacion|dato
    bokforingsdag|bokforingsdatum|transaktionsdatum|boekdatum|transactiedatum|data operacji|data transakcji
    kaufdatum|belegdatum|umsatzdatum|abschlussdatum|取引日|お取引日|お取り引き日|取引日付|取引年月日|年月日|日付|操作日(年)
    ご利用日|利用日|ご利用年月日|valutadatum|valuta|wertstellung|wertstellungsdatum|value date|date valeur|date de valeur
  `),
  amount: lines(`
    amount|betrag|umsatz|transaction amount|montant|montant de l'operation|importe|importo|valor|bedrag|belop|belopp
    kwota|kwota operacji|gross|brutto|net amount|amount in account currency|金額|取引金額|ご利用金額|利用金額|value
    montante|quantia|summe
  `),
  debit: lines(`
    debit|debits|debit amount|paid out|money out|withdrawal|withdrawals|withdrawal amount|outflow|belastung
    belastungen|lastschrift|soll|ausgang|ausgaben|debit montant|montant debit|sortie|sorties|depense|debito|debitos
    saida|saidas|adeudo|cargo|cargos|uscite|dare|addebiti|af|ut|出金|出金額|出金金額|お引出し|お引き出し|お引出金額|お支払金額
    支払金額|支払い金額|お支払い金額|払出|払出金額|引出金額
  `),
  credit: lines(`
    credit|credits|credit amount|paid in|money in|deposit|deposits|deposit amount|inflow|gutschrift|gutschriften
    haben|eingang|einnahmen|montant credit|entree|entrees|recette|credito|creditos|entrada|entradas|abono|abonos
    entrate|avere|accrediti|bij|in|入金|入金額|入金金額|お預入れ|お預け入れ|お預入金額|お預り金額|預り金額|預かり金額|受入|受入金額|預入金額
  `),
  merchant: lines(`
    payee|merchant|merchant name|beguenstigter/zahlungspflichtiger|empfanger/zahlungspflichtiger|auftraggeber/empfanger
    auftraggeber / beguenstigter|auftraggeber/zahlungsempfanger|name zahlungsbeteiligter|zahlungsempfanger*in
    zahlungsempfanger|partner name|partnername|partner|counterparty|counter party|counterparty name|beneficiary
    beneficiaire|tiers|payee name|name|nom|empfanger|auftraggeber|naam / omschrijving|naam/omschrijving
    naam tegenpartij|tegenpartij|description|transaction description|merchant/description|original description
    libelle simplifie|libelle|libelle operation|libelle de l'operation|beschreibung|beschreibung1|buchungsdetails
    avisierungstext|buchungstext|text|narrative|details|transaction details|particulars|descricao|historico|titulo
    estabelecimento|lancamento|descripcion|concepto|descrizione|causale|omschrijving|tekst|forklaring|opis operacji|opis
    摘要|摘要内容|お取り扱い内容|お取扱内容|取引内容|内容|ご利用店名|利用店名・商品名|ご利用先など|店名
  `),
  note: lines(`
    memo|note|notes|notes and #tags|verwendungszweck|vorgang/verwendungszweck|zahlungsgrund|reference|payment reference|remittance information|mitteilung
    mitteilungen|notizen|zusatz|beschreibung2|buchungsdetails|libelle complementaire|libelle operation
    informations complementaires|commentaire|comment|comments|mededelingen|observacoes|observaciones|note/memo
    notas|メモ|備考|備考欄|description
  `),
  category: lines(`
    category group/category|category|kategorie|categorie|categoria|sub category|subcategory|sous categorie|rubrik
    カテゴリ|カテゴリー|分類|費目
  `),
  currency: lines(`
    currency|wahrung|waehrung|devise|moneda|moeda|valuta|munt|currency code|transaction currency|通貨|divisa
  `),
  status: lines(`
    status|state|info|transaction status|statut|estado|stato|buchungsstatus|状態|ステータス
  `),
  direction: lines(`
    debit/credit|credit/debit|credit debit indicator|dr/cr|cr/dr|debit or credit|soll/haben|s/h|sens|af bij|af/bij
    d/c|direction|transaction type|type
  `),
};

function lines(text: string): string[] {
  return text
    .trim()
    .split(/\s*[|\n]\s*/)
    .filter(word => word !== '');
}

/** Longer names are of no column that is known here. */
const NAME_LENGTH_MAX = 60;

/** A column's name for comparing: without case, accents, and what it says of the currency. */
export function columnWord(name: string): string {
  return name
    .slice(0, NAME_LENGTH_MAX)
    .normalize('NFKC')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")
    .replaceAll('_', ' ')
    .replace(/\s*[([][^)\]]{0,6}[)\]]\s*$/, '')
    .replace(/\s+(?:in\s+)?(?:euros?|chf|usd|gbp|sek|nok|dkk|pln|brl|cad|aud|jpy)$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .normalize('NFC');
}
