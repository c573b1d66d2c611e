import { applyDecorators, HttpCode } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiResponse } from '@nestjs/swagger';
import { ERRORS, type ErrorCode } from './api-error.js';
import { Details, Id, Named, ResponseOf, Text } from './response-fields.js';

/** The body of every error. */
export class ErrorBody extends ResponseOf({
  code: Named('ErrorCode', Object.keys(ERRORS) as ErrorCode[], 'The error, for programs'),
  message: Text('A sentence for a person', 'There is no such month here.'),
  details: Details('More about the error, depending on its code'),
  request_id: Id('Equals the `X-Request-Id` header'),
}) {}

export type ResponseClass = abstract new () => object;

/** Response headers with what they mean. */
type AnswerHeaders = Readonly<Record<string, string>>;

/** What a route returns on success, and with which status; `Also` declares further ones (a replay, `304`). */
export function Answers(
  status: 200 | 201 | 202 | 204,
  type: ResponseClass | undefined,
  description: string,
  headers: AnswerHeaders = {},
): MethodDecorator {
  return applyDecorators(HttpCode(status), Also(status, type, description, headers));
}

export function Also(
  status: number,
  type: ResponseClass | undefined,
  description: string,
  headers: AnswerHeaders = {},
): MethodDecorator {
  const described = Object.entries(headers).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return ApiResponse({
    status,
    description,
    ...(type !== undefined && { type: type as unknown as Function }),
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
  });
}

const FAILURES = Symbol('error codes of a route');

/** The error codes that a route may return beyond those of its `@Access`. */
export function Fails(...codes: readonly ErrorCode[]): MethodDecorator {
  return (_target, _key, descriptor) => {
    const handler = descriptor.value as object;
    Reflect.defineMetadata(FAILURES, [...failuresOf(handler), ...codes], handler);
  };
}

export function failuresOf(handler: object): readonly ErrorCode[] {
  return (Reflect.getMetadata(FAILURES, handler) as readonly ErrorCode[] | undefined) ?? [];
}

/** What `document-completion.ts` adds to the description of a route. */
export interface DescriptionNotes {
  /** A whole body that is accepted, where the examples of all fields together would not be. */
  readonly bodyExample?: object;
  /** Several of them by name; the reference page fills in the first. */
  readonly bodyExamples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** Fields of the body of which exactly one has to be there. */
  readonly either?: readonly string[];
  /** What a successful response in a media type other than JSON contains. */
  readonly texts?: Readonly<Record<string, string>>;
}

export const Describes = Reflector.createDecorator<DescriptionNotes>();
