import { ApiProperty } from '@nestjs/swagger';
import { CURRENCY_PATTERN } from './currencies.js';
import { COLOR_PATTERN, ULID_EXAMPLE } from './field-rules.js';

/**
 * The fields of answers: what they mean, in which unit and form. Each is declared once: `ResponseOf` makes a class of
 * them, whose type and whose schema in the API description follow from what they say.
 */

/** Describes a field that holds a `T`. */
interface ResponseField<T> {
  (prototype: object, name: string | symbol): void;
  /** For the compiler alone. */
  readonly holds?: T;
}

type Holding<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends ResponseField<infer T> ? T : never;
};

/** The class that a response of these fields extends. */
export function ResponseOf<Fields extends Readonly<Record<string, ResponseField<unknown>>>>(
  fields: Fields,
): abstract new () => Holding<Fields> {
  abstract class Described {}
  for (const [name, describe] of Object.entries(fields)) describe(Described.prototype, name);
  return Described as abstract new () => Holding<Fields>;
}

interface ResponseFieldOptions<Null extends boolean> {
  readonly nullable?: Null;
}

type OrNull<T, Null extends boolean> = Null extends true ? T | null : T;

/** An amount in minor units. */
export function Amount<Null extends boolean = false>(
  description: string,
  example: number,
  options: ResponseFieldOptions<Null> = {},
): ResponseField<OrNull<number, Null>> {
  return ApiProperty({ type: 'integer', format: 'int64', description, example, ...options });
}

/** A whole number other than an amount. */
export function Whole<Null extends boolean = false>(
  description: string,
  example?: number,
  options: ResponseFieldOptions<Null> = {},
): ResponseField<OrNull<number, Null>> {
  return ApiProperty({ type: 'integer', description, ...(example !== undefined && { example }), ...options });
}

export function Id<Null extends boolean = false>(
  description: string,
  options: ResponseFieldOptions<Null> = {},
): ResponseField<OrNull<string, Null>> {
  return ApiProperty({ type: 'string', description, example: ULID_EXAMPLE, ...options });
}

export function Text<Null extends boolean = false>(
  description: string,
  example: string | null,
  options: ResponseFieldOptions<Null> = {},
): ResponseField<OrNull<string, Null>> {
  return ApiProperty({ type: 'string', description, example, ...options });
}

export function TextList(description: string, example?: readonly string[]): ResponseField<readonly string[]> {
  return ApiProperty({ type: [String], description, ...(example && { example }) });
}

export function Email(description: string, example = 'ada@example.org'): ResponseField<string> {
  return ApiProperty({ type: 'string', format: 'email', description, example });
}

export function Currency(description: string): ResponseField<string> {
  return ApiProperty({ type: 'string', pattern: CURRENCY_PATTERN, description, example: 'EUR' });
}

/** One of some texts. */
export function OneOf<const Value extends string | null>(
  values: readonly Value[],
  description: string,
  example: string,
): ResponseField<Value> {
  const nullable = values.some(value => value === null);
  return ApiProperty({
    type: 'string',
    enum: [...values],
    description,
    example,
    ...(nullable && { nullable }),
  });
}

/** One of some texts, which the description of the API declares once under a name. */
export function Named<const Value extends string>(
  enumName: string,
  values: readonly Value[],
  description: string,
): ResponseField<Value> {
  return ApiProperty({ enum: [...values], enumName, description });
}

/** Several of some texts. */
export function SomeOf<const Value extends string>(
  values: readonly Value[],
  description: string,
  example: readonly Value[] = [],
): ResponseField<readonly Value[]> {
  return ApiProperty({ type: 'array', items: { type: 'string', enum: [...values] }, description, example });
}

/** A colour as `#rrggbb`. */
export function Color(description: string, example: string): ResponseField<string> {
  return ApiProperty({ type: 'string', pattern: COLOR_PATTERN, description, example });
}

/** A date of the calendar. */
export function Day(description: string): ResponseField<string> {
  return ApiProperty({ type: 'string', format: 'date', description, example: '2026-01-15' });
}

export function Flag(description: string, example: boolean): ResponseField<boolean> {
  return ApiProperty({ type: 'boolean', description, example });
}

/** A moment in UTC with milliseconds. */
export function At<Null extends boolean = false>(
  description: string,
  options: ResponseFieldOptions<Null> = {},
): ResponseField<OrNull<string, Null>> {
  const example = options.nullable === true ? null : '2026-01-05T08:00:00.000Z';
  return ApiProperty({ type: 'string', format: 'date-time', description, example, ...options });
}

/** An object of its own. */
export function Part<T extends object, Null extends boolean = false>(
  type: abstract new () => T,
  description?: string,
  options: ResponseFieldOptions<Null> & { readonly example?: null } = {},
): ResponseField<OrNull<T, Null>> {
  return ApiProperty({ type: type as new () => T, ...(description && { description }), ...options });
}

export function ListOf<T extends object>(
  type: abstract new () => T,
  description: string,
): ResponseField<readonly T[]> {
  return ApiProperty({ type: [type as new () => T], description });
}

/** An object whose fields depend on the case. */
export function Details(description: string): ResponseField<Readonly<Record<string, unknown>>> {
  return ApiProperty({ type: 'object', additionalProperties: true, description, example: {} });
}

/** The cursor of the page behind this one. */
export function NextCursor(): ResponseField<string | null> {
  return ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The cursor of the next page; null on the last page',
  });
}
