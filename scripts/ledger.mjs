#!/usr/bin/env node
// `npx ledger …`: the command-line program for operators and auditors. Builds when the sources changed, saying so on
// standard error only, and runs what was built where there is nothing to build with.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, requireNode } from './build.mjs';

const program = new URL('../dist/apps/cli/src/main.js', import.meta.url);
const compiler = new URL('../node_modules/typescript-native', import.meta.url);

requireNode();
const built = existsSync(fileURLToPath(program)) && !existsSync(fileURLToPath(compiler));
if (!built && !build()) process.exit(1);
process.setSourceMapsEnabled(true);
await import(program.href);
