import { isDeepStrictEqual } from 'node:util';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The parts of an OpenAPI document that its completion works on. */

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
export type Response = Exclude<Operation['responses'][string], Reference | undefined>;
export type MediaTypes = NonNullable<Response['content']>;
export type Components = NonNullable<OpenAPIObject['components']>;
export type SchemaOrRef = NonNullable<Components['schemas']>[string];

export interface Reference {
  $ref: string;
}

export const JSON_TYPE = 'application/json';
export const FIRST_ERROR_STATUS = 400;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export function operationsOf({ paths }: OpenAPIObject): Operation[] {
  return Object.values(paths).flatMap(item => METHODS.flatMap(method => item[method] ?? []));
}

/**
 * Adds a part to `components`, unless it is there already.
 * @returns a reference to it
 * @throws Error where the name belongs to a different part
 */
export function share(
  components: Components,
  section: 'parameters' | 'headers' | 'responses' | 'examples',
  name: string,
  part: object,
): Reference {
  const parts = (components[section] ??= {}) as Record<string, object>;
  parts[name] ??= part;
  if (!isDeepStrictEqual(parts[name], part)) {
    throw new Error(`two different ${section} of the API description have the name ${name}`);
  }
  return { $ref: `#/components/${section}/${name}` };
}
