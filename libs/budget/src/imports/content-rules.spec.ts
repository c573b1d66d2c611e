import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMOUNT_MAX, NOTE_MAX } from '#http/field-rules';
import { MERCHANT_MAX } from '../transactions/create-transaction.js';
import { contentRules } from './content-rules.js';

describe('the rules for imported content', () => {
  it('have the limits of a transaction that is posted', () => {
    const { amountMax, merchantMax, noteMax } = contentRules('EUR');
    assert.deepEqual([amountMax, merchantMax, noteMax], [AMOUNT_MAX, MERCHANT_MAX, NOTE_MAX]);
  });
});
