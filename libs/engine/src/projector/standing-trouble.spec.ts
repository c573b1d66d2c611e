import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventStoreUnavailable } from '#storage/event-store/event-store';
import { SEE_LOG } from '../households/store-failures.js';
import { StandingTrouble } from './background-log.js';

describe(StandingTrouble.name, () => {
  const damaged = '{"merchant":Dr. Miller}';

  function read(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error;
    }
  }

  it('is told once for as long as it stays the same', () => {
    const logged: object[] = [];
    const trouble = new StandingTrouble({ error: fields => logged.push(fields) }, 'projections wait');
    for (let time = 0; time < 2; time++) trouble.met(new EventStoreUnavailable('The log is away.'));
    assert.equal(trouble.reason, 'The log is away.');
    for (let time = 0; time < 2; time++) trouble.met(read(damaged));
    assert.equal(trouble.reason, SEE_LOG);
    assert.equal(logged.length, 2);
    trouble.over();
    assert.equal(trouble.reason, null);
  });

  it('tells nobody what stands in a damaged event', () => {
    let logged = '';
    const trouble = new StandingTrouble(
      { error: fields => (logged += JSON.stringify(fields)) },
      'projections wait',
    );
    trouble.met(read(damaged));
    assert.doesNotMatch(`${trouble.reason} ${logged}`, /Miller/);
    assert.match(logged, /SyntaxError/);
  });
});
