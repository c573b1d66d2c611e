import { useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react';

interface FieldProperties {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

type TextFieldProperties = FieldProperties &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> & { readonly onChange?: (value: string) => void };

/** A field of one line with its label, hint and error. */
export function TextField({ label, hint, error, onChange, className = '', ...input }: TextFieldProperties) {
  const id = useId();
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy(id, hint, error)}
        onChange={event => onChange?.(event.target.value)}
      />
      <Descriptions id={id} hint={hint} error={error} />
    </div>
  );
}

type TextAreaProperties = FieldProperties &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange'> & {
    readonly onChange?: (value: string) => void;
  };

/** A field of several lines. */
export function TextArea({ label, hint, error, onChange, ...input }: TextAreaProperties) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={3}
        {...input}
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={describedBy(id, hint, error)}
        onChange={event => onChange?.(event.target.value)}
      />
      <Descriptions id={id} hint={hint} error={error} />
    </div>
  );
}

interface SelectFieldProperties extends FieldProperties {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
}

/** A choice of one among a few. */
export function SelectField({
  label,
  hint,
  error,
  value,
  options,
  onChange,
  disabled,
}: SelectFieldProperties) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        aria-describedby={describedBy(id, hint, error)}
        onChange={event => onChange(event.target.value)}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.name}
          </option>
        ))}
      </select>
      <Descriptions id={id} hint={hint} error={error} />
    </div>
  );
}

/** The ids of a field's hint and error, for `aria-describedby`. */
export function describedBy(id: string, hint: ReactNode, error: string | undefined): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
}

/** What stands below a field: its hint, and what is wrong with it. */
export function Descriptions({ id, hint, error }: { readonly id: string } & Omit<FieldProperties, 'label'>) {
  return (
    <>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  );
}
