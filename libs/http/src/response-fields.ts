import { ApiProperty } from '@nestjs/swagger';
import { CURRENCY_PATTERN } from './currencies.js';
import { ULID_EXAMPLE } from './fields.js';

/** The decorators that describe the fields of an answer: what they mean, in which unit and form. */

interface ResponseFieldOptions {
  readonly nullable?: boolean;
}

/** An amount in minor units. */
export function Amount(
  description: string,
  example: number,
  options: ResponseFieldOptions = {},
): PropertyDecorator {
  return ApiProperty({ type: 'integer', format: 'int64', description, example, ...options });
}

export function Id(description: string, options: ResponseFieldOptions = {}): PropertyDecorator {
  return ApiProperty({ type: 'string', description, example: ULID_EXAMPLE, ...options });
}

export function Text(
  description: string,
  example: string | null,
  options: ResponseFieldOptions = {},
): PropertyDecorator {
  return ApiProperty({ type: 'string', description, example, ...options });
}

export function Email(description: string, example = 'ada@example.org'): PropertyDecorator {
  return ApiProperty({ type: 'string', format: 'email', description, example });
}

export function Currency(description: string): PropertyDecorator {
  return ApiProperty({ type: 'string', pattern: CURRENCY_PATTERN, description, example: 'EUR' });
}

/** One of some texts. */
export function OneOf(
  values: readonly (string | null)[],
  description: string,
  example: string,
  options: ResponseFieldOptions = {},
): PropertyDecorator {
  return ApiProperty({ type: 'string', enum: [...values], description, example, ...options });
}

/** A date of the calendar. */
export function Day(description: string): PropertyDecorator {
  return ApiProperty({ type: 'string', format: 'date', description, example: '2026-01-15' });
}

export function Flag(description: string, example: boolean): PropertyDecorator {
  return ApiProperty({ type: 'boolean', description, example });
}

/** A moment in UTC with milliseconds. */
export function At(description: string, options: ResponseFieldOptions = {}): PropertyDecorator {
  const example = options.nullable === true ? null : '2026-01-05T08:00:00.000Z';
  return ApiProperty({ type: 'string', format: 'date-time', description, example, ...options });
}
