import { Module, type DynamicModule } from '@nestjs/common';
import { BudgetModule } from '#budget/budget.module';
import { IdentityJobsModule } from '#identity/identity-services.module';
import { IdentityModule } from '#identity/identity.module';
import type { LedgerRuntime } from '#runtime/ledger-runtime';
import { RuntimeModule } from '#runtime/runtime.module';

/** Everything in one process: the API, the projections and the jobs. */
@Module({})
export class AppModule {
  static of(runtime: LedgerRuntime): DynamicModule {
    return {
      module: AppModule,
      imports: [RuntimeModule.of(runtime), IdentityModule, IdentityJobsModule, BudgetModule],
    };
  }
}
