// What operators see of verifications in the background.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Documents } from '#storage/documents/documents';
import { FIRST_VERSION, readModelsOf } from '#engine/households/read-models';
import { signUp, type Household } from '../acceptance/household.scenario.js';
import { startService, type Service } from '../acceptance/service.scenario.js';
import { until } from '../until.js';

const MODELS = readModelsOf(FIRST_VERSION);
/** In days: shorter than the pause between two looks. */
const AT_EVERY_LOOK = '0.00001';

interface Readiness {
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string | null;
  }[];
}

describe('a verification in the background', () => {
  let service: Service;
  let home: Household;

  before(async () => {
    service = await startService({ VERIFY_EVERY: AT_EVERY_LOOK });
    home = await signUp(service, 'Ada');
    await home.createMonth('2026-01');
  });
  after(() => service.stop());

  async function check(): Promise<Readiness['checks'][number] | undefined> {
    const { checks } = (await (await fetch(`${service.origin}/health/ready`)).json()) as Readiness;
    return checks.find(({ name }) => name === 'verification');
  }

  async function metric(series: string): Promise<number> {
    const text = await (await fetch(`${service.origin}/metrics`)).text();
    const line = text.split('\n').find(each => each.startsWith(`${series} `));
    assert.ok(line, `${series} is not exposed`);
    return Number(line.slice(series.length + 1));
  }

  it('shows when it ended and what it found, in readiness and metrics', async () => {
    // An EventStoreDB may hold households of other tests as well.
    await until(async () => /[1-9]\d* household/.test((await check())?.message ?? ''));
    const sound = await check();
    assert.equal(sound?.status, 'ok');
    assert.match(sound.message ?? '', /^sound at \d{4}-.*: [1-9]\d* household\(s\), [1-9]\d* event\(s\)$/);
    const end = await metric('verification_last_end_timestamp_seconds');
    assert.ok(Date.now() / 1000 - end < 60);
    assert.equal(await metric('verification_findings{kind="documents"}'), 0);

    const documents = service.app.get(Documents);
    const key = `${home.id}|2026-01`;
    const month = await documents.get(MODELS.months, key);
    assert.ok(month);
    await documents.remove(MODELS.months, key);
    await documents.insert(MODELS.months, { ...month, month: '2026-02' });
    await until(async () => (await check())?.status === 'failing');
    assert.match((await check())?.message ?? '', /^not sound at .*: 1 wrong document; run `ledger/);
    assert.equal(await metric('verification_findings{kind="documents"}'), 1);

    await documents.remove(MODELS.months, key);
    await documents.insert(MODELS.months, month);
    await until(async () => (await check())?.status === 'ok');
  });
});

describe('a service without verifications', () => {
  it('shows none', async () => {
    const service = await startService({ VERIFY_EVERY: 'off' });
    try {
      const { checks } = (await (await fetch(`${service.origin}/health/ready`)).json()) as Readiness;
      assert.ok(!checks.some(({ name }) => name === 'verification'));
      assert.doesNotMatch(await (await fetch(`${service.origin}/metrics`)).text(), /verification/);
    } finally {
      await service.stop();
    }
  });
});
