import { Module, type DynamicModule } from '@nestjs/common';
import { IdentityJobsModule } from '#identity/identity-services.module';
import type { LedgerRuntime } from '#runtime/ledger-runtime';
import { RuntimeModule } from '#runtime/runtime.module';

/**
 * Projections and jobs: any number of these share the households between them. Serves health, metrics and the
 * description of these only.
 */
@Module({})
export class AppModule {
  static of(runtime: LedgerRuntime): DynamicModule {
    return { module: AppModule, imports: [RuntimeModule.of(runtime), IdentityJobsModule] };
  }
}
