import { readFileSync } from 'node:fs';

/** The file lies three folders above every compiled library. */
const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

export const SERVICE_VERSION = version;
