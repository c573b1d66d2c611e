import { COMMON_CURRENCIES } from '../format/currencies.js';
import { SelectField } from '../ui/field.js';

interface CurrencyFieldProperties {
  readonly value: string;
  readonly onChange: (currency: string) => void;
  readonly disabled?: boolean;
  readonly hint?: string;
}

/** A currency by its name in the browser's language. */
export function CurrencyField({ value, onChange, disabled = false, hint }: CurrencyFieldProperties) {
  const codes = [...new Set([value, ...COMMON_CURRENCIES])].sort();
  const names = new Intl.DisplayNames(navigator.language, { type: 'currency' });
  return (
    <SelectField
      label="Currency"
      value={value}
      disabled={disabled}
      onChange={onChange}
      options={codes.map(code => ({ value: code, name: `${code} – ${names.of(code) ?? code}` }))}
      {...(hint !== undefined && { hint })}
    />
  );
}
