import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  getMetadataStorage,
  registerDecorator,
  ValidateIf,
  ValidateNested,
  ValidationTypes,
} from 'class-validator';
import {
  AMOUNT_MAX,
  booleanRule,
  colorRule,
  currencyRule,
  anyTextRule,
  dateRule,
  emailRule,
  enumRule,
  integerRule,
  linkTokenRule,
  listRule,
  momentRule,
  monthRule,
  NAME_MAX,
  nameRule,
  NOTE_MAX,
  numberRule,
  objectListRule,
  objectRule,
  PASSWORD_MIN,
  passwordRule,
  problemOf,
  textRule,
  ULID_EXAMPLE,
  ULID_PATTERN,
  ulidRule,
  type CheckedField,
  type FieldRule,
  type InstantOfDay,
  type ListLimits,
} from './field-rules.js';

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

/** The name of the one constraint that a field has for class-validator. It holds the field's declaration. */
const CONSTRAINT = 'field';
/** Constraints beside it, for the nested objects of a field. */
const OF_NESTED: readonly string[] = [
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
];

/** The fields of a class by their names. @throws TypeError where something else constrains a property */
export function fieldsOf(type: DtoClass): ReadonlyMap<string, FieldDeclaration> {
  const fields = new Map<string, FieldDeclaration>();
  for (const one of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
    if (one.name === CONSTRAINT) fields.set(one.propertyName, one.constraints[0] as FieldDeclaration);
    else if (!OF_NESTED.includes(one.type)) {
      throw new TypeError(`${type.name}.${one.propertyName}: declare it by a decorator of fields.ts`);
    }
  }
  return fields;
}

function field(
  rule: FieldRule,
  options: FieldOptions,
  schema: object = {},
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
      constraints: [declaration],
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
    ApiProperty({ ...rule.schema, ...schema, ...documented(options), required: !optional })(
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

type Field = (options?: FieldOptions) => PropertyDecorator;

const fieldOf =
  (rule: FieldRule, description?: string): Field =>
  options =>
    field(rule, { ...(description !== undefined && { description }), ...options });

/** The id of something: a ULID. */
export const UlidField = fieldOf(ulidRule);

/** A month as `YYYY-MM`. */
export const MonthField = fieldOf(monthRule);

/** A date of the calendar as `YYYY-MM-DD`, of the years 0001 to 9999. */
export const DateField = fieldOf(dateRule);

/** An e-mail address, trimmed, its letter case kept. */
export const EmailField = fieldOf(emailRule);

/** `#RRGGBB`, lower-cased. */
export const ColorField = fieldOf(colorRule);

/** A currency by its code of ISO 4217, in upper case. */
export const CurrencyField = fieldOf(currencyRule);

/** The token of a mailed link; the handler refuses an invalid one. */
export const LinkTokenField = fieldOf(
  linkTokenRule,
  'The token of the mailed link. An invalid one returns `410 invalid_link`',
);

/** Any text, neither trimmed nor normalised, for comparing. */
export const ExactTextField = fieldOf(anyTextRule);

/** The `next_cursor` of the page before; the handler decodes it and refuses an invalid one. */
export function CursorField(options: FieldOptions = {}): PropertyDecorator {
  const description = 'The `next_cursor` of the previous page; absent for the first page';
  return field(anyTextRule, { description, ...options, optional: true });
}

/** A moment, normalised to milliseconds in UTC. @param options `date`: the instant that a plain date stands for */
export function MomentField(
  options: FieldOptions & { readonly description: string; readonly date: InstantOfDay },
): PropertyDecorator {
  const forms = `a time with \`Z\` or an offset, or a date, which stands for its ${options.date} instant in UTC`;
  return field(momentRule(options.date), { ...options, description: `${options.description}: ${forms}` });
}

/** An amount in minor units (cents), at most `AMOUNT_MAX` unless said otherwise. */
export function AmountField({
  min,
  max = AMOUNT_MAX,
  ...options
}: FieldOptions & { readonly min: number; readonly max?: number }): PropertyDecorator {
  return field(integerRule(min, max), options, { format: 'int64', example: 1250 });
}

type Range = { readonly min: number; readonly max: number };

/** A whole number; in a query, strictly decimal digits. */
export function IntegerField({ min, max, ...options }: FieldOptions & Range): PropertyDecorator {
  return field(integerRule(min, max), options, { example: options.default ?? min });
}

export function NumberField({ min, max, ...options }: FieldOptions & Range): PropertyDecorator {
  return field(numberRule(min, max), options);
}

/** A name that other people read, on one line, of 1 to `NAME_MAX` characters unless said otherwise. */
export function NameField(options: FieldOptions & { readonly max?: number } = {}): PropertyDecorator {
  return field(nameRule(options.max ?? NAME_MAX), options);
}

/** Text, trimmed and in NFC; lengths count code points. Where it may be null and empty, empty text becomes null. */
export function TextField(
  options: FieldOptions & Range & { readonly multiline?: boolean },
): PropertyDecorator {
  const emptyIsNull = options.nullable === true && options.min === 0;
  return field(textRule({ ...options, emptyIsNull }), options);
}

/** A note of up to `NOTE_MAX` characters, newlines and tabs included; `""` and null clear it. */
export function NoteField(options: FieldOptions = {}): PropertyDecorator {
  return TextField({ ...options, nullable: true, min: 0, max: NOTE_MAX, multiline: true });
}

/** A password. @param options `signIn` for one that is only compared: it may then be shorter than a new one */
export function PasswordField(options: FieldOptions & { readonly signIn?: boolean } = {}): PropertyDecorator {
  return field(passwordRule(options.signIn === true ? 0 : PASSWORD_MIN), options);
}

/** One of a few words. */
export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field(enumRule(values), options);
}

/** @param options `only`: the one value that it may have, and the message for the other */
export function BooleanField(
  options: FieldOptions & { readonly only?: { readonly value: boolean; readonly otherwise: string } } = {},
): PropertyDecorator {
  const { only } = options;
  if (only === undefined) return field(booleanRule, options);
  const { value, otherwise } = only;
  const problem = (given: unknown): string | null =>
    booleanRule.problem(given) ?? (given === value ? null : otherwise);
  return field({ ...booleanRule, problem }, options, { enum: [value], example: value });
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
  const { uniqueBy, description } = options;
  const once = uniqueBy === undefined ? undefined : `each \`${uniqueBy}\` at most once`;
  const described = [description, once].filter(part => part !== undefined).join('; ');
  const schema = { type: () => type(), isArray: true };
  const rule = objectListRule(options, uniqueBy);
  return field(rule, { ...options, ...(described !== '' && { description: described }) }, schema, type);
}

/** A list of objects of several kinds. The description needs their classes as `ApiExtraModels` of the route. */
export function VariantListField(
  { by, classes }: Variants,
  options: FieldOptions & ListLimits,
): PropertyDecorator {
  const references = Object.entries(classes).map(([name, type]) => [name, getSchemaPath(type)] as const);
  const items = {
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: by, mapping: Object.fromEntries(references) },
  };
  return field(objectListRule(options), options, { type: 'array', items }, () => ({ by, classes }));
}

/** A list of ids, each at most once. */
export function UlidListField(options: FieldOptions & ListLimits): PropertyDecorator {
  return field(listRule(ulidRule, options), { example: [ULID_EXAMPLE], ...options });
}

/** Ids in a query parameter, separated by commas, each at most once; the handler gets a list. */
export function UlidTextListField(options: FieldOptions & ListLimits): PropertyDecorator {
  const ulid = ULID_PATTERN.slice(1, -1);
  const pattern = `^${ulid}(,${ulid}){0,${options.max - 1}}$`;
  const schema = { type: 'string', pattern, example: ULID_EXAMPLE };
  return field({ ...listRule(ulidRule, options), schema, fromText: text => text.split(',') }, options);
}

/** A list of words out of a few, each at most once. */
export function EnumListField(
  values: readonly string[],
  options: FieldOptions & Partial<ListLimits> = {},
): PropertyDecorator {
  const rule = listRule(enumRule(values), { max: values.length, ...options });
  return field(rule, { example: values.slice(0, 2), ...options });
}
