import 'reflect-metadata';
import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ErrorFilter } from './error-filter.js';
import { HealthController } from './health.controller.js';
import { fastifyAdapter, type HttpServerOptions } from './http-server.js';
import { API_PREFIX, buildDocument, type ApiDescription } from './openapi.js';
import { Readiness } from './readiness.js';
import { ReferenceController } from './reference.controller.js';
import { NestLog } from './request-log.js';
import { RequestReader } from './request-reader.js';
import { routesOf } from './routes.js';

export interface HttpAppOptions extends HttpServerOptions {
  readonly description: ApiDescription;
}

/** What this library gives to every module: the registry of readiness checks. */
@Global()
@Module({
  controllers: [HealthController, ReferenceController],
  providers: [Readiness],
  exports: [Readiness],
})
class HttpModule {}

@Module({})
class HttpRoot {}

/**
 * An application with every convention of the API in place, ready to listen. Guards that decide who may call are provided
 * under `APP_GUARD`: they run in the order of their modules, before the body is read.
 * @throws Error for a route that declares no access or is not validated, see `routesOf`
 */
export async function createHttpApp(
  module: Type<unknown> | DynamicModule,
  options: HttpAppOptions,
): Promise<NestFastifyApplication> {
  const adapter = fastifyAdapter(options);
  const root: DynamicModule = { module: HttpRoot, imports: [HttpModule, module] };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: new NestLog(options.logger),
  });
  try {
    app.setGlobalPrefix(API_PREFIX, { exclude: OUTSIDE });
    app.useGlobalFilters(new ErrorFilter(options.logger));
    const routes = routesOf(app);
    app.useGlobalGuards(new RequestReader(new Map(routes.map(({ handler, plan }) => [handler, plan]))));
    await app.init();
    const description = buildDocument(app, routes, options.description);
    app.get(ReferenceController).describe(description, options.basePath ?? '/');
  } catch (error) {
    await app.close();
    throw error;
  }
  return app;
}

/**
 * Opens the port of an application that `createHttpApp` made. Nest's own `listen` logs an error as well as throwing it;
 * here the caller reports it, once.
 * @throws Error of the system, with its `code`
 */
export async function listen(app: NestFastifyApplication, port: number, host: string): Promise<void> {
  await app.getHttpAdapter().getInstance().listen({ port, host });
}

const OUTSIDE = ['health/live', 'health/ready', 'metrics', 'openapi.json', 'docs', 'docs/*path'];
