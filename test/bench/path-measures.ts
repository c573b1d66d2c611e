import { Session, type Profiler } from 'node:inspector/promises';
import { monotonicFactory } from 'ulid';
import { startService, type Service } from '../acceptance/service.scenario.js';
import { bounded, type Figure } from './figures.js';

/** More files than a reader can follow. */
const FILES_MAX = 45;
const OWN_FILE = /\/dist\/((?:libs|apps)\/.*)\.js$/;
const EMAIL = 'path@example.org';
const MONTH = '2026-01';
/** The first posts load what later ones have. */
const WARM_UP = 3;
/** What runs beside one post alone is none of its path. */
const MEASURED_POSTS = 30;

const nextId = monotonicFactory();

/** How many of the project's own files `POST /transactions` runs functions of, by V8's coverage. */
export async function filesOfPost(progress: (text: string) => void): Promise<Figure> {
  const service = await startService();
  const session = new Session();
  session.connect();
  try {
    const post = await posting(service);
    for (let time = 0; time < WARM_UP; time++) await post();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    let files: string[] | null = null;
    for (let time = 0; time < MEASURED_POSTS; time++) {
      // What ran in between is counted from here.
      await session.post('Profiler.takePreciseCoverage');
      await post();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const run = new Set(result.flatMap(script => ownFileRun(script) ?? []));
      files = (files ?? [...run].sort()).filter(file => run.has(file));
    }
    progress(`a post runs through\n        ${files!.join('\n        ')}`);
    return bounded('Own files that POST /transactions runs through', files!.length, FILES_MAX, 'files');
  } finally {
    session.disconnect();
    await service.stop();
  }
}

/** The path of a file of which a function ran; module bodies do not count. */
function ownFileRun({ url, functions }: Profiler.ScriptCoverage): string | null {
  const path = OWN_FILE.exec(url)?.[1];
  if (path === undefined) return null;
  const hasRun = functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
  return hasRun ? path : null;
}

/** Signs up, creates a month, and gives a function that posts one tracked expense. */
async function posting(service: Service): Promise<() => Promise<void>> {
  const call = async (method: string, path: string, body?: unknown, token = ''): Promise<unknown> => {
    const response = await fetch(`${service.origin}/v1${path}`, {
      method,
      headers: {
        ...(token !== '' && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return response.json();
  };
  const password = 'four-jars-on-a-shelf';
  await call('POST', '/auth/password/sign-up', { email: EMAIL, password, name: 'Path' });
  const link = await service.mailedToken(EMAIL, 'verify');
  const verified = { token: link, client: 'mobile' };
  const { token } = (await call('POST', '/auth/password/verify', verified)) as { readonly token: string };
  const { groups } = (await call('POST', `/months/${MONTH}`, undefined, token)) as {
    readonly groups: readonly { readonly items: readonly { readonly id: string }[] }[];
  };
  const itemId = groups[1]!.items[0]!.id;
  return async () => {
    const body = {
      id: nextId(),
      type: 'expense',
      amount: 1250,
      date: `${MONTH}-10`,
      merchant: 'Bakery',
      splits: [{ item_id: itemId, amount: 1250 }],
    };
    await call('POST', '/transactions', body, token);
  };
}
