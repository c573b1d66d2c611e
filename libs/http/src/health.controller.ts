import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from './access.js';
import { Also, Answers } from './answers.js';
import { UNAVAILABLE_RETRY_SECONDS } from './api-error.js';
import { Readiness, type CheckResult } from './readiness.js';
import { At, Text } from './response-fields.js';

class Liveness {
  @ApiProperty({ enum: ['ok'], description: 'It answers, so it lives', example: 'ok' })
  status!: 'ok';
}

class ReadinessCheck {
  @Text('What was looked at', 'event store')
  name!: string;

  @ApiProperty({ enum: ['ok', 'failing'], description: 'What the look at it found', example: 'ok' })
  status!: 'ok' | 'failing';

  @Text('What is wrong; null where nothing is', null, { nullable: true })
  message!: string | null;

  @At('When the status last changed')
  since!: string;
}

class ReadinessReport {
  @ApiProperty({ enum: ['ok', 'failing'], description: '`failing` where a check fails', example: 'ok' })
  status!: 'ok' | 'failing';

  @ApiProperty({
    type: () => ReadinessCheck,
    isArray: true,
    description: 'Everything that the service needs',
  })
  checks!: readonly CheckResult[];
}

/** Whether the process lives, and whether it can do its work: for load balancers and operators, without sign-in. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('live')
  @ApiOperation({ summary: 'Check that the process answers' })
  @Access.public()
  @Answers(200, Liveness)
  live(): Liveness {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Check that the service can do its work',
    description: 'If it cannot, the report says what is wrong.',
  })
  @Access.public()
  @Answers(200, ReadinessReport)
  @Also(503, ReadinessReport, { description: 'Something that the service needs is failing' })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const checks = await this.readiness.look();
    const failing = checks.some(check => check.status === 'failing');
    if (failing) reply.code(503).header('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    return { status: failing ? 'failing' : 'ok', checks };
  }
}
