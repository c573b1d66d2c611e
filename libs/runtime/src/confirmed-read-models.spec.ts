import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ExecutionContext } from '@nestjs/common';
import { firstValueFrom, of } from 'rxjs';
import { Access } from '#http/access';
import { ReadModelsUnconfirmed, type VersionWatch } from '#engine/versions/live-streams';
import { ConfirmedReadModels } from './runtime.module.js';

class Routes {
  @Access.scope('budget:read', { household: true })
  budget(): void {}

  @Access.session()
  account(): void {}
}

describe('ConfirmedReadModels', () => {
  function intercepted(route: keyof Routes, confirm: () => void): Promise<unknown> {
    const watch = { current: () => ({ revision: 1 }), confirm } as unknown as VersionWatch;
    const context = { getHandler: () => Routes.prototype[route] } as unknown as ExecutionContext;
    return firstValueFrom(new ConfirmedReadModels(watch).intercept(context, { handle: () => of('answer') }));
  }
  const left = (): never => {
    throw new ReadModelsUnconfirmed('left');
  };

  it('passes what was made of read models that still hold', async () => {
    assert.equal(await intercepted('budget', () => undefined), 'answer');
  });

  it('holds back what was made of read models that others have left', async () => {
    await assert.rejects(intercepted('budget', left), ReadModelsUnconfirmed);
  });

  it('does not concern answers that are of no household', async () => {
    assert.equal(await intercepted('account', left), 'answer');
  });
});
