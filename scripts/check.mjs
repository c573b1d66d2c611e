// `npm run check`: everything that a machine can hold us to, in the order of what fails fastest.
import { spawnSync } from 'node:child_process';

/** @type {[name: string, command: string, args: string[]][]} */
const checks = [
  [
    'types',
    'node',
    ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.json', '--noEmit', '--incremental', 'false'],
  ],
  [
    'types of the web app',
    'node',
    ['node_modules/typescript-native/bin/tsc', '-p', 'apps/web', '--noEmit', '--incremental', 'false'],
  ],
  ['lint', 'npm', ['run', '--silent', 'lint']],
  ['formatting', 'npx', ['--no', 'prettier', '--', '--check', '--log-level', 'warn', '.']],
  [
    'dependency direction',
    'npx',
    ['--no', 'depcruise', '--', '--config', '.dependency-cruiser.cjs', 'apps', 'libs'],
  ],
  ['tests', 'node', ['scripts/test.mjs']],
];

for (const [name, command, args] of checks) {
  console.log(`\n— ${name}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\n${name}: failed`);
    process.exit(1);
  }
}
console.log('\nAll checks passed.');
