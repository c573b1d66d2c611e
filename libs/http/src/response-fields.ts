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

/** The fields of one form. @param usual their example where a field gives none */
const form =
  <T>(schema: object, usual?: T) =>
  <Null extends boolean = false>(
    description: string,
    example: T | null | undefined = usual,
    options: ResponseFieldOptions<Null> = {},
  ): ResponseField<OrNull<T, Null>> =>
    ApiProperty({ ...schema, description, ...(example !== undefined && { example }), ...options });

/** An amount in minor units. */
export const Amount = form<number>({ type: 'integer', format: 'int64' });
/** A whole number other than an amount. */
export const Whole = form<number>({ type: 'integer' });
export const Flag = form<boolean>({ type: 'boolean' });
export const Text = form<string>({ type: 'string' });
export const Email = form<string>({ type: 'string', format: 'email' }, 'ada@example.org');
export const Currency = form<string>({ type: 'string', pattern: CURRENCY_PATTERN }, 'EUR');
/** A colour as `#rrggbb`. */
export const Color = form<string>({ type: 'string', pattern: COLOR_PATTERN });
/** A date of the calendar. */
export const Day = form<string>({ type: 'string', format: 'date' }, '2026-01-15');

export function Id<Null extends boolean = false>(
  description: string,
  options: ResponseFieldOptions<Null> = {},
): ResponseField<OrNull<string, Null>> {
  return ApiProperty({ type: 'string', description, example: ULID_EXAMPLE, ...options });
}

export function TextList(description: string, example?: readonly string[]): ResponseField<readonly string[]> {
  return ApiProperty({ type: [String], description, ...(example && { example }) });
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
