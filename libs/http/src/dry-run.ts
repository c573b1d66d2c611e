import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BooleanField } from './fields.js';

/** The header of what a write would have answered. */
export const DRY_RUN_HEADER = 'Dry-Run';

const DESCRIPTION =
  'If `true`, the write is only tried: it is checked and answered as always, with `200`, ids and times that are not ' +
  `kept, and \`${DRY_RUN_HEADER}: true\`. Nothing is recorded or sent to listeners, and its key stays unused.`;

/** The query of a write that can be tried. */
class DryRunQuery {
  @BooleanField({ default: false, description: DESCRIPTION })
  dry_run!: boolean;
}

const CAN_BE_TRIED = Symbol('whether a route can be tried');

/** A write that `?dry_run=true` decides and does not record. */
export function CanBeTried(): MethodDecorator {
  return applyDecorators(
    SetMetadata(CAN_BE_TRIED, DryRunQuery),
    ApiQuery({
      name: 'dry_run',
      required: false,
      description: DESCRIPTION,
      schema: { type: 'boolean', default: false },
    }),
  );
}

/** What the query of a handler has besides what it declares itself; undefined for nothing. */
export function dryRunQueryOf(handler: object): typeof DryRunQuery | undefined {
  return Reflect.getMetadata(CAN_BE_TRIED, handler) as typeof DryRunQuery | undefined;
}

/** Whether the request only tries its write. */
export function isDryRun({ query }: Pick<FastifyRequest, 'query'>): boolean {
  return (query as Partial<DryRunQuery>).dry_run === true;
}

/** Marks the answer as one of a write that was only tried. */
export function markDryRun(reply: FastifyReply): void {
  void reply.code(200).header(DRY_RUN_HEADER, 'true');
}
