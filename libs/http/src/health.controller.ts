import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from './access.js';
import { Also, Answers } from './answers.js';
import { UNAVAILABLE_RETRY_SECONDS } from './api-error.js';
import { Readiness } from './readiness.js';
import { At, ListOf, OneOf, ResponseOf, Text } from './response-fields.js';

class Liveness extends ResponseOf({ status: OneOf(['ok'], 'Always `ok`', 'ok') }) {}

class ReadinessCheck extends ResponseOf({
  name: Text('What the check covers', 'event store'),
  status: OneOf(['ok', 'failing'], 'The result of the check', 'ok'),
  message: Text('The problem, or a remark of a check that passes; else null', null, { nullable: true }),
  since: At('When the status last changed, to about a second'),
}) {}

class ReadinessReport extends ResponseOf({
  status: OneOf(['ok', 'failing'], '`failing` if any check fails', 'ok'),
  checks: ListOf(ReadinessCheck, 'One check for each dependency'),
}) {}

/** Whether the process lives, and whether it can do its work: for load balancers and operators, without sign-in. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ summary: 'Check that the process is running' })
  @Access.public()
  @Answers(200, Liveness, 'The process is running')
  checkLiveness(): Liveness {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Check that the service can handle requests',
    description: 'Runs a check for each store and worker that the service depends on.',
  })
  @Access.public()
  @Answers(200, ReadinessReport, 'Every check passes')
  @Also(503, ReadinessReport, 'At least one check fails; the report names it')
  async checkReadiness(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const checks = await this.readiness.look();
    const failing = checks.some(check => check.status === 'failing');
    if (failing) reply.code(503).header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    return { status: failing ? 'failing' : 'ok', checks };
  }
}
