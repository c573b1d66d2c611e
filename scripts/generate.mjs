// `npm run generate`: writes the types of the client, libs/client/src/generated.ts, from the description of the API that
// this checkout serves. Uses what compiles even where the client, or what uses it, does not fit these types any more.
import { writeFileSync } from 'node:fs';
import { build, requireNode } from './build.mjs';

requireNode();
if (!build()) console.error('Generating from the sources that compile …');
const { startService } = await import('../dist/test/acceptance/service.scenario.js');
const { generatedTypes } = await import('../dist/test/client/generated-types.js');
const service = await startService();
try {
  const file = new URL('../libs/client/src/generated.ts', import.meta.url);
  writeFileSync(file, await generatedTypes(service.description));
} finally {
  await service.stop();
}
