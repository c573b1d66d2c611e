import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IsInt, Max, validateSync } from 'class-validator';
import fc from 'fast-check';
import { AmountField } from './fields.js';
import { Problems, PROBLEMS_MAX, Shape } from './shape.js';
import { SplitBody, ThingBody, ThingPatch, ThingQuery } from './test-application.fixture.js';

const ID = '01JZ8Q4T0V6W2X3Y4Z5A6B7C8D';
const OTHER_ID = '01JZ8Q4T0V6W2X3Y4Z5A6B7C8E';
const thing = {
  id: ID,
  type: 'expense',
  amount: 1250,
  date: '2026-01-02',
  merchant: 'Grocer',
  splits: [{ item_id: ID, amount: 1250 }],
};

function read<T extends object>(
  type: new () => T,
  input: unknown,
): { value: T; paths: string[]; problems: Problems } {
  const problems = new Problems();
  const value = Shape.of(type).read(input as Record<string, unknown>, '', problems);
  return { value, paths: problems.fields.map(({ path }) => path), problems };
}

describe('the shape of a body', () => {
  it('makes an instance with the fields that are there, normalised, and no others', () => {
    const { value, paths } = read(ThingBody, { ...thing, merchant: '  Grocer ', note: '' });
    assert.deepEqual(paths, []);
    assert.ok(value instanceof ThingBody);
    assert.deepEqual(Object.assign({}, value), { ...thing, note: null, splits: value.splits });
    assert.ok(value.splits[0] instanceof SplitBody);
    assert.ok(!('location' in value));
  });

  it('names every problem at its place', () => {
    const wrong = {
      id: 1,
      type: 'x',
      amount: '5',
      splits: [{ item_id: ID, amount: 0, colour: 1 }, null, 7],
      extra: 1,
    };
    assert.deepEqual(read(ThingBody, wrong).paths, [
      'id',
      'type',
      'amount',
      'date',
      'merchant',
      'splits.0.amount',
      'splits.0.colour',
      'splits.1',
      'splits.2',
      'extra',
    ]);
  });

  it('tells absent from null', () => {
    assert.deepEqual(read(ThingPatch, { target: null }).paths, []);
    assert.equal(read(ThingPatch, { target: null }).value.target, null);
    assert.deepEqual(read(ThingPatch, { name: null, color: null, item_ids: [null] }).paths, [
      'name',
      'color',
      'item_ids',
    ]);
    assert.deepEqual(read(ThingBody, { ...thing, location: null, note: null }).paths, []);
    assert.deepEqual(read(ThingBody, { ...thing, location: { lat: 1, lng: 2 } }).paths, [
      'location.accuracy_m',
    ]);
    assert.deepEqual(read(ThingBody, { ...thing, location: [] }).paths, ['location']);
  });

  it('names an item at most once, and no more than the limit', () => {
    const split = (item_id: string) => ({ item_id, amount: 1 });
    assert.deepEqual(read(ThingBody, { ...thing, splits: [split(ID), split(OTHER_ID)] }).paths, []);
    assert.deepEqual(read(ThingBody, { ...thing, splits: [split(ID), split(ID)] }).paths, ['splits']);
    assert.deepEqual(read(ThingBody, { ...thing, splits: Array(101).fill(split(ID)) }).paths, ['splits']);
    assert.deepEqual(read(ThingBody, { ...thing, splits: { 0: split(ID), length: 1 } }).paths, ['splits']);
  });

  it('is not misled by names that objects have anyway', () => {
    const body = JSON.parse(
      `{"name":"x","__proto__":{"color":"#ffffff"},"constructor":1,"toString":2}`,
    ) as object;
    const { value, paths } = read(ThingPatch, body);
    assert.deepEqual(paths, ['__proto__', 'constructor', 'toString']);
    assert.equal(value.color, undefined);
    assert.equal(({} as { color?: string }).color, undefined);
  });

  it('bounds what it reports', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${'x'.repeat(5000)}${i}`, i]));
    const { problems } = read(ThingPatch, many);
    assert.equal(problems.fields.length, PROBLEMS_MAX);
    assert.ok(JSON.stringify(problems.fields).length < 20_000);
  });

  it('refuses a class that declares nothing, which a type-only import leaves behind', () => {
    class Bare {}
    assert.throws(() => Shape.of(Bare), /declares no field/);
  });
});

describe('the shape of a query', () => {
  const readQuery = (query: object) => {
    const problems = new Problems();
    const value = Shape.of(ThingQuery).readQuery(query as Record<string, unknown>, problems);
    return { value: Object.assign({}, value), paths: problems.fields.map(({ path }) => path) };
  };

  it('reads text as what the field means, with defaults', () => {
    assert.deepEqual(readQuery({ view: 'tracked' }).value, { view: 'tracked', limit: 100 });
    const all = { view: 'deleted', q: ' 12.50 ', limit: '7', all: 'false', as_of: '2026-01-01T00:00:00Z' };
    assert.deepEqual(readQuery(all).value, {
      view: 'deleted',
      q: '12.50',
      limit: 7,
      all: false,
      as_of: '2026-01-01T00:00:00.000Z',
    });
  });

  it('refuses what is unknown, repeated or no number', () => {
    assert.deepEqual(
      readQuery({ view: ['tracked', 'tracked'], limit: '1e1', all: '1', Q: 'x', q: '' }).paths,
      ['view', 'q', 'limit', 'all', 'Q'],
    );
    for (const limit of ['0', '201', '-1', '10.0', 'Infinity', '']) {
      assert.deepEqual(readQuery({ view: 'tracked', limit }).paths, ['limit'], limit);
    }
  });
});

describe('the compiled executor', () => {
  it('refuses decorators that it would not apply', () => {
    class Foreign {
      @IsInt()
      stars!: number;
    }
    class Mixed {
      @AmountField({ min: 1 })
      @Max(5)
      stars!: number;
    }
    for (const type of [Foreign, Mixed]) {
      assert.throws(() => Shape.of(type), /stars: declare it by a decorator of fields\.ts/);
    }
  });

  it('finds the same fields at fault as class-validator on what it read', () => {
    const value = fc.oneof(
      fc.constantFrom(...Object.values(thing), ID, 'expense', '2026-02-30', null, undefined, -0, '', ' '),
      fc.jsonValue({ maxDepth: 2 }),
      fc.array(
        fc.record({ item_id: fc.constantFrom(ID, OTHER_ID, 'x'), amount: fc.integer({ min: -1, max: 3 }) }),
        {
          maxLength: 3,
        },
      ),
    );
    const keys = ['id', 'type', 'amount', 'date', 'merchant', 'splits', 'note', 'budget_month', 'location'];
    const body = fc.record(Object.fromEntries(keys.map(key => [key, value])), { requiredKeys: [] });
    fc.assert(
      fc.property(body, input => {
        const present = Object.fromEntries(
          Object.entries({ ...thing, ...input }).filter(([, v]) => v !== undefined),
        );
        const { value: instance, problems } = read(ThingBody, present);
        const mine = new Set(problems.fields.map(({ path }) => path.split('.')[0]));
        const theirs = new Set(
          validateSync(instance, { forbidUnknownValues: false }).map(({ property }) => property),
        );
        // Unknown fields are not a constraint of class-validator's, and are covered above.
        const unknownOnly = problems.fields.every(({ message }) => message === 'unknown field');
        if (unknownOnly) assert.deepEqual([...theirs], []);
        else for (const property of theirs) assert.ok(mine.has(property), property);
      }),
    );
  });
});
