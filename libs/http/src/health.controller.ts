import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from './access.js';
import { Also, Answers } from './answers.js';
import { UNAVAILABLE_RETRY_SECONDS } from './api-error.js';
import { Readiness, type CheckResult } from './readiness.js';
import { At, Text } from './response-fields.js';

class Liveness {
  @ApiProperty({ enum: ['ok'], description: 'Always `ok`', example: 'ok' })
  status!: 'ok';
}

class ReadinessCheck {
  @Text('What the check covers', 'event store')
  name!: string;

  @ApiProperty({ enum: ['ok', 'failing'], description: 'The result of the check', example: 'ok' })
  status!: 'ok' | 'failing';

  @Text('The problem, or a remark of a check that passes; else null', null, { nullable: true })
  message!: string | null;

  @At('When the status last changed, to about a second')
  since!: string;
}

class ReadinessReport {
  @ApiProperty({ enum: ['ok', 'failing'], description: '`failing` if any check fails', example: 'ok' })
  status!: 'ok' | 'failing';

  @ApiProperty({
    type: () => ReadinessCheck,
    isArray: true,
    description: 'One check for each dependency',
  })
  checks!: readonly CheckResult[];
}

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
