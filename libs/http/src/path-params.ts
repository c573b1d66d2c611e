import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { MAX_ULID, ulidToUUID, uuidToULID } from 'ulid';
import { ULID_PATTERN, monthRule, ulidRule, type FieldRule } from './field-rules.js';

const PATH_RULES = Symbol('rules of path parameters');

export function pathRules(handler: object): ReadonlyMap<string, FieldRule> {
  return (
    (Reflect.getMetadata(PATH_RULES, handler) as ReadonlyMap<string, FieldRule> | undefined) ?? new Map()
  );
}

/** An id in the path: `description` says of what. A malformed one is `422 validation_failed` under its name. */
export function UlidParam(name: string, description: string): ParameterDecorator {
  return pathParam(name, ulidRule, description);
}

/** The month in the path, as `YYYY-MM`. */
export function MonthParam(): ParameterDecorator {
  return pathParam('month', monthRule, MONTH);
}

/** An event's id in the path, for the handler as the API shows it. The UUID that an event store has is taken, too. */
export function EventIdParam(): ParameterDecorator {
  return pathParam('eventId', eventIdRule, EVENT_ID);
}

const MONTH = 'The month, as `YYYY-MM`; `GET /months` lists the existing ones';
const UUID_PATTERN = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$';
const EVENT_ID = 'The id of an event, as in `GET /activity`, or its UUID in the event store.';
const UUID = new RegExp(UUID_PATTERN);
const eventIdRule: FieldRule = {
  schema: { ...ulidRule.schema, pattern: `${ULID_PATTERN}|${UUID_PATTERN}` },
  normalise: raw => (typeof raw === 'string' && UUID.test(raw) ? shownEventId(raw) : raw),
  problem: ulidRule.problem,
};

function pathParam(name: string, rule: FieldRule, description: string): ParameterDecorator {
  const { example, ...pattern } = rule.schema;
  // The reference page fills an `example` in: ids cannot be guessed, months can.
  const schema = { ...pattern, ...(rule === monthRule ? { example } : { examples: [example] }) };
  return (target, key, index) => {
    if (key === undefined) throw new TypeError('path parameters belong to methods');
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor === undefined) throw new TypeError(`${String(key)} is not a method of its class`);
    const handler = descriptor.value as object;
    Reflect.defineMetadata(PATH_RULES, new Map([...pathRules(handler), [name, rule]]), handler);
    Param(name)(target, key, index);
    // @nestjs/swagger leaves an example out that is not part of the schema.
    ApiParam({ name, schema, description })(target, key, descriptor);
  };
}

/**
 * An event's id as the API shows it. Every id of the API is a ULID, every event id of an event store a UUID; both
 * stand for 128 bits, so that one is the other written differently (https://github.com/ulid/spec).
 * @param stored as the event store has it
 */
export function shownEventId(stored: string): string {
  return uuidToULID(stored);
}

/** The reverse of `shownEventId`; null for a text in the form of a ULID that stands for more than 128 bits. */
export function storedEventId(shown: string): string | null {
  return shown > MAX_ULID ? null : ulidToUUID(shown).toLowerCase();
}
