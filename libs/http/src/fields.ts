import { ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { registerDecorator, ValidateIf, ValidateNested, ValidationTypes } from 'class-validator';
import {
  AMOUNT_MAX,
  booleanRule,
  colorRule,
  currencyRule,
  cursorRule,
  dateRule,
  EMAIL_MAX,
  emailRule,
  enumRule,
  integerRule,
  linkTokenRule,
  listRule,
  MONTH_PATTERN,
  momentRule,
  monthRule,
  NAME_MAX,
  NOTE_MAX,
  numberRule,
  objectListRule,
  objectRule,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordRule,
  problemOf,
  ulidRule,
  type ListLimits,
  nameRule,
  textRule,
  type CheckedField,
  type FieldRule,
  MOMENT_PATTERN,
  type InstantOfDay,
  ULID_PATTERN,
} from './field-rules.js';
import { CURRENCY_PATTERN } from './currencies.js';

/**
 * The decorators that declare the fields of a body or a query: each is the class-validator constraint, the
 * normalisation and the OpenAPI schema of its field in one, so that the three cannot disagree. `shape.ts` applies them
 * to every request.
 */

export interface FieldOptions {
  /** The field may be absent. Null is another matter. */
  readonly optional?: boolean;
  /** The field may be null. */
  readonly nullable?: boolean;
  /** What an absent field means; makes it optional. */
  readonly default?: unknown;
  readonly description?: string;
  readonly example?: unknown;
}

type DtoClass = abstract new () => object;

/** What `shape.ts` reads of a field. */
export interface FieldDeclaration extends CheckedField {
  readonly default?: unknown;
  /** The class of a nested object, or of a list's elements. */
  readonly nested?: () => DtoClass | Variants;
}

/** The classes of a list's elements; the value of one field tells them apart. */
export interface Variants {
  readonly by: string;
  readonly classes: Readonly<Record<string, DtoClass>>;
}

const FIELD = Symbol('field of a request');
/** The name of the one constraint that a field has for class-validator. */
const CONSTRAINT = 'field';

/** Whether a decorator of this file has given class-validator this metadata. */
export function isFieldMetadata({ type, name }: { readonly type: string; readonly name?: string }): boolean {
  const isForNested =
    type === ValidationTypes.NESTED_VALIDATION || type === ValidationTypes.CONDITIONAL_VALIDATION;
  return isForNested || name === CONSTRAINT;
}

export function fieldDeclaration(prototype: object, property: string): FieldDeclaration | undefined {
  return Reflect.getMetadata(FIELD, prototype, property) as FieldDeclaration | undefined;
}

function field(
  rule: FieldRule,
  options: FieldOptions,
  schema: ApiPropertyOptions,
  nested?: () => DtoClass | Variants,
): PropertyDecorator {
  const optional = options.optional === true || options.default !== undefined;
  const declaration: FieldDeclaration = {
    rule,
    optional,
    nullable: options.nullable === true,
    ...(options.default !== undefined && { default: options.default }),
    ...(nested && { nested }),
  };
  return (prototype, property) => {
    if (typeof property !== 'string') throw new TypeError('fields have names');
    registerDecorator({
      name: CONSTRAINT,
      target: prototype.constructor,
      propertyName: property,
      constraints: [],
      validator: {
        validate: value => problemOf(declaration, value) === null,
        defaultMessage: args => problemOf(declaration, args?.value) ?? '',
      },
    });
    if (nested !== undefined) {
      ValidateNested()(prototype, property);
      // For class-validator, null is not a nested object, whatever the constraint says.
      if (options.nullable === true) ValidateIf((_, value) => value !== null)(prototype, property);
    }
    Reflect.defineMetadata(FIELD, declaration, prototype, property);
    ApiProperty({ ...schema, ...documented(options), required: !optional } as ApiPropertyOptions)(
      prototype,
      property,
    );
  };
}

function documented({ description, example, nullable, default: fallback }: FieldOptions): object {
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    ...(fallback !== undefined && { default: fallback }),
    ...(nullable === true && { nullable }),
  };
}

export const ULID_EXAMPLE = '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D';

/** The id of something: a ULID. */
export function UlidField(options: FieldOptions = {}): PropertyDecorator {
  return field(ulidRule, options, { type: 'string', pattern: ULID_PATTERN, example: ULID_EXAMPLE });
}

/** A month as `YYYY-MM`. */
export function MonthField(options: FieldOptions = {}): PropertyDecorator {
  return field(monthRule, options, { type: 'string', pattern: MONTH_PATTERN, example: '2026-01' });
}

/** A date of the calendar as `YYYY-MM-DD`, of the years 0001 to 9999. */
export function DateField(options: FieldOptions = {}): PropertyDecorator {
  return field(dateRule, options, { type: 'string', format: 'date', example: '2026-01-15' });
}

/** A moment, normalised to milliseconds in UTC. @param options `date`: the instant that a plain date stands for */
export function MomentField(
  options: FieldOptions & { readonly description: string; readonly date: InstantOfDay },
): PropertyDecorator {
  const forms = `a time with \`Z\` or an offset, or a date, which stands for its ${options.date} instant in UTC`;
  const description = `${options.description}: ${forms}`;
  return field(
    momentRule(options.date),
    { ...options, description },
    { type: 'string', pattern: MOMENT_PATTERN, example: '2026-01-15T18:30:00.000Z' },
  );
}

/** An amount in minor units (cents), at most `AMOUNT_MAX` unless said otherwise. */
export function AmountField(
  options: FieldOptions & { readonly min: number; readonly max?: number },
): PropertyDecorator {
  const { min, max = AMOUNT_MAX } = options;
  return field(integerRule(min, max), options, {
    type: 'integer',
    format: 'int64',
    minimum: min,
    maximum: max,
    example: 1250,
  });
}

/** A whole number; in a query, strictly decimal digits. */
export function IntegerField(
  options: FieldOptions & { readonly min: number; readonly max: number },
): PropertyDecorator {
  const { min, max } = options;
  return field(integerRule(min, max), options, {
    type: 'integer',
    minimum: min,
    maximum: max,
    example: options.default ?? min,
  });
}

export function NumberField(
  options: FieldOptions & { readonly min: number; readonly max: number },
): PropertyDecorator {
  const { min, max } = options;
  return field(numberRule(min, max), options, { type: 'number', minimum: min, maximum: max, example: min });
}

/** A name that other people read, on one line, of 1 to `NAME_MAX` characters unless said otherwise. */
export function NameField(options: FieldOptions & { readonly max?: number } = {}): PropertyDecorator {
  const { max = NAME_MAX } = options;
  return field(nameRule(max), options, {
    type: 'string',
    minLength: 1,
    maxLength: max,
    example: 'Groceries',
  });
}

/** Text, trimmed and in NFC; lengths count code points. Where it may be null and empty, empty text becomes null. */
export function TextField(
  options: FieldOptions & { readonly min: number; readonly max: number; readonly multiline?: boolean },
): PropertyDecorator {
  const { min, max, multiline = false, nullable = false } = options;
  const rule = textRule({ min, max, multiline, emptyIsNull: nullable && min === 0 });
  return field(rule, options, {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    example: 'Weekly shop',
  });
}

/** A note of up to `NOTE_MAX` characters, newlines and tabs included; `""` and null clear it. */
export function NoteField(options: FieldOptions = {}): PropertyDecorator {
  return TextField({ ...options, nullable: true, min: 0, max: NOTE_MAX, multiline: true });
}

/** An e-mail address, trimmed, its letter case kept. */
export function EmailField(options: FieldOptions = {}): PropertyDecorator {
  return field(emailRule, options, {
    type: 'string',
    format: 'email',
    maxLength: EMAIL_MAX,
    example: 'ada@example.org',
  });
}

/** A password. @param options `signIn` for one that is only compared: it may then be shorter than a new one */
export function PasswordField(options: FieldOptions & { readonly signIn?: boolean } = {}): PropertyDecorator {
  const min = options.signIn === true ? 0 : PASSWORD_MIN;
  return field(passwordRule(min), options, {
    type: 'string',
    format: 'password',
    ...(min > 0 && { minLength: min }),
    maxLength: PASSWORD_MAX,
    example: 'a good long password',
  });
}

/** One of a few words. */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field(enumRule(values), options, { type: 'string', enum: [...values], example: values[0] });
}

/** @param options `only`: the one value that it may have, and the message for the other */
export function BooleanField(
  options: FieldOptions & { readonly only?: { readonly value: boolean; readonly otherwise: string } } = {},
): PropertyDecorator {
  const { only } = options;
  if (only === undefined) return field(booleanRule, options, { type: 'boolean', example: true });
  const { value, otherwise } = only;
  const problem = (given: unknown): string | null =>
    booleanRule.problem(given) ?? (given === value ? null : otherwise);
  const schema = { type: 'boolean', enum: [value], example: value } as const;
  return field({ ...booleanRule, problem }, options, schema);
}

/** `#RRGGBB`, lower-cased. */
export function ColorField(options: FieldOptions = {}): PropertyDecorator {
  return field(colorRule, options, { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$', example: '#3f7cac' });
}

/** A currency by its code of ISO 4217, in upper case. */
export function CurrencyField(options: FieldOptions = {}): PropertyDecorator {
  return field(currencyRule, options, { type: 'string', pattern: CURRENCY_PATTERN, example: 'EUR' });
}

/** The `next_cursor` of the page before; the handler decodes it and refuses an invalid one. */
export function CursorField(options: FieldOptions = {}): PropertyDecorator {
  const description = 'The `next_cursor` of the previous page; absent for the first page';
  return field(cursorRule, { description, ...options, optional: true }, { type: 'string' });
}

/** The token of a mailed link; the handler refuses an invalid one. */
export function LinkTokenField(options: FieldOptions = {}): PropertyDecorator {
  const description = 'The token of the mailed link. An invalid one returns `410 invalid_link`';
  return field(linkTokenRule, { description, ...options }, { type: 'string', example: 'xYz…' });
}

/** An object with the fields of a class. */
export function ObjectField(type: () => DtoClass, options: FieldOptions = {}): PropertyDecorator {
  return field(objectRule, options, { type: () => type() }, type);
}

/** A list of objects with the fields of a class. @param options `uniqueBy`: the field whose values must differ */
export function ListField(
  type: () => DtoClass,
  options: FieldOptions & ListLimits & { readonly uniqueBy?: string },
): PropertyDecorator {
  const { min, max, uniqueBy, description } = options;
  const once = uniqueBy === undefined ? undefined : `each \`${uniqueBy}\` at most once`;
  const described = [description, once].filter(part => part !== undefined).join('; ');
  const rule = objectListRule({ max, ...(min !== undefined && { min }) }, uniqueBy);
  const schema = {
    type: () => type(),
    isArray: true,
    maxItems: max,
    ...(min && { minItems: min }),
  };
  return field(rule, { ...options, ...(described !== '' && { description: described }) }, schema, type);
}

/** A list of objects of several kinds. The description needs their classes as `ApiExtraModels` of the route. */
export function VariantListField(
  { by, classes }: Variants,
  options: FieldOptions & ListLimits,
): PropertyDecorator {
  const { min, max } = options;
  const references = Object.entries(classes).map(([name, type]) => [name, getSchemaPath(type)] as const);
  const items = {
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: by, mapping: Object.fromEntries(references) },
  };
  const schema = { type: 'array', items, maxItems: max, ...(min && { minItems: min }) } as const;
  return field(objectListRule(options), options, schema, () => ({ by, classes }));
}

/** A list of ids, each at most once. */
export function UlidListField(options: FieldOptions & ListLimits): PropertyDecorator {
  return list(ulidRule, { type: 'string', pattern: ULID_PATTERN }, { example: [ULID_EXAMPLE], ...options });
}

/** Ids in a query parameter, separated by commas, each at most once; the handler gets a list. */
export function UlidTextListField(options: FieldOptions & ListLimits): PropertyDecorator {
  const { max } = options;
  const ulid = ULID_PATTERN.slice(1, -1);
  const rule = { ...listRule(ulidRule, options), fromText: (text: string) => text.split(',') };
  const pattern = `^${ulid}(,${ulid}){0,${max - 1}}$`;
  return field(rule, options, { type: 'string', pattern, example: ULID_EXAMPLE });
}

/** A list of words out of a few, each at most once. */
export function EnumListField(
  values: readonly string[],
  options: FieldOptions & Partial<ListLimits> = {},
): PropertyDecorator {
  const limits = { max: values.length, example: values.slice(0, 2), ...options };
  return list(enumRule(values), { type: 'string', enum: [...values] }, limits);
}

function list(element: FieldRule, items: object, options: FieldOptions & ListLimits): PropertyDecorator {
  const { min, max } = options;
  return field(listRule(element, options), options, {
    type: 'array',
    items,
    maxItems: max,
    uniqueItems: true,
    ...(min && { minItems: min }),
  });
}
