import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  groupNamed,
  invalid,
  itemNamed,
  ok,
  useService,
  freshId,
  type Household,
} from './household.scenario.js';

/** Names that hide, or that turn round the sentence in which they stand. */
const DECEIVING = [
  'Rent\u202e',
  '\u2066Rent',
  'Re\u202bnt\u2069',
  '\u200b',
  '\u2060 \u200d',
  '\u3164',
  '\u2800',
];
const HONEST = ['می\u200cخواهم', '👩\u200d👩\u200d👧', '❤\ufe0f', 'שכר דירה'];

describe('a name that other people read', () => {
  const service = useService();
  let home: Household;
  /** Where a name can be sent to, with the field that holds it. */
  let places: readonly (readonly [
    place: string,
    field: string,
    send: (name: string) => ReturnType<Household['send']>,
  ])[];

  before(async () => {
    home = await service.stranger('Names');
    const month = await home.createMonth('2026-01');
    const food = groupNamed(month, 'Food').id;
    const fuel = itemNamed(month, 'Fuel').id;
    const spent = await home.spend({ amount: 5 });
    const transaction = { type: 'expense', amount: 5, date: '2026-01-15', splits: [] };
    places = [
      ['a user', 'name', name => home.patch('/me', { name })],
      ['a household', 'name', name => home.patch(`/households/${home.id}`, { name })],
      ['a new household', 'name', name => home.post('/households', { name })],
      ['a token', 'name', name => home.post('/tokens', { name })],
      ['a group', 'name', name => home.patch(`/groups/${food}`, { name })],
      ['a new group', 'name', name => home.post('/months/2026-01/groups', { name })],
      ['an item', 'name', name => home.patch(`/items/${fuel}`, { name })],
      ['a new item', 'name', name => home.post(`/months/2026-01/groups/${food}/items`, { name })],
      [
        'a merchant',
        'merchant',
        merchant => home.patch(`/transactions/${spent.transaction.id}`, { merchant }),
      ],
      [
        'a new merchant',
        'merchant',
        merchant => home.post('/transactions', { ...transaction, id: freshId(), merchant }),
      ],
    ];
  });

  it('is refused where it cannot be seen or turns round the text behind it', async () => {
    for (const [place, field, send] of places) {
      for (const name of DECEIVING) {
        assert.deepEqual(invalid(await send(name)), [field], `${place}: ${JSON.stringify(name)}`);
      }
    }
    const email = 'deceiving@example.org';
    for (const name of DECEIVING) {
      const reply = await home.post('/auth/password/sign-up', {
        email,
        password: 'a good long password',
        name,
      });
      assert.deepEqual(invalid(reply), ['name']);
    }
  });

  it('may be of any script, and of emoji that are joined', async () => {
    for (const [place, , send] of places) {
      for (const name of HONEST) {
        const { status, body } = await send(name);
        assert.ok(status === 200 || status === 201, `${place}: ${JSON.stringify(body)}`);
      }
    }
    ok(await home.get('/activity'));
  });
});
