import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { ApiDocument } from '../acceptance/described.scenario.js';

const NOTE = '// Made from the description of the API by `npm run generate`. Do not edit.\n';
/** What the generator writes into every file, and the API has none of. */
const EMPTY = /^export type (?:webhooks|\$defs) = Record<string, never>;\n/gm;

/** The types of the client, as `libs/client/src/generated.ts` has them. @param description of the API, at `/openapi.json` */
export async function generatedTypes(description: ApiDocument): Promise<string> {
  // The generator changes what it is given.
  const document = structuredClone(description) as unknown as OpenAPI3;
  return NOTE + astToString(await openapiTS(document, { silent: true })).replaceAll(EMPTY, '');
}
