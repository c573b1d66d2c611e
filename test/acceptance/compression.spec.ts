import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { itemNamed, ok, useService } from './household.scenario.js';

describe('compressed answers', () => {
  const service = useService();

  it('are the same month with the same tag, on which a write can be based', async () => {
    const home = await service.household();
    const { id } = itemNamed(await home.createMonth('2026-01'), 'Fuel');
    const plain = await home.get('/months/2026-01', { 'Accept-Encoding': 'identity' });
    assert.equal(plain.headers.get('content-encoding'), null);
    const tag = plain.headers.get('etag')!;
    for (const encoding of ['br', 'gzip']) {
      const reply = await home.get('/months/2026-01', { 'Accept-Encoding': encoding });
      assert.deepEqual(ok(reply), ok(plain));
      assert.deepEqual([reply.headers.get('content-encoding'), reply.headers.get('etag')], [encoding, tag]);
      const known = await home.get('/months/2026-01', { 'Accept-Encoding': encoding, 'If-None-Match': tag });
      assert.equal(known.status, 304);
    }
    // As a proxy marks it that encodes the answer once more.
    ok(await home.patch(`/months/2026-01/items/${id}`, { planned: 5 }, { 'If-Match': `W/${tag}` }));
    const changed = await home.get<{ income: unknown }>('/months/2026-01', { 'Accept-Encoding': 'br' });
    assert.equal(itemNamed(ok(changed) as never, 'Fuel').planned, 5);
  });

  it('are streamed exports, too', async () => {
    const home = await service.household();
    await home.createMonth('2026-01');
    const [plain, compressed] = await Promise.all(
      ['identity', 'gzip'].map(encoding => home.get('/export?format=json', { 'Accept-Encoding': encoding })),
    );
    assert.equal(compressed!.headers.get('content-encoding'), 'gzip');
    const { exported_at: _, ...content } = ok(compressed!) as Record<string, unknown>;
    const { exported_at: __, ...expected } = ok(plain!) as Record<string, unknown>;
    assert.deepEqual(content, expected);
  });
});
