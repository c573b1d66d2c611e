import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '#http/access';
import { ServiceMetrics } from './service-metrics.js';

/** Metrics in Prometheus's text format. They name routes and counts, no household and no person. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: ServiceMetrics) {}

  @Get()
  @Access.public()
  async read(@Res() reply: FastifyReply): Promise<void> {
    const { registry } = this.metrics;
    await reply.header('Content-Type', registry.contentType).send(await registry.metrics());
  }
}
