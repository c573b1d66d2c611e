import { Module, type DynamicModule } from '@nestjs/common';
import { BudgetModule } from '#budget/budget.module';
import { IdentityModule } from '#identity/identity.module';
import type { LedgerRuntime } from '#runtime/ledger-runtime';
import { RuntimeModule } from '#runtime/runtime.module';

/** The API alone: any number of these, without a state of their own. */
@Module({})
export class AppModule {
  static of(runtime: LedgerRuntime): DynamicModule {
    return { module: AppModule, imports: [RuntimeModule.of(runtime), IdentityModule, BudgetModule] };
  }
}
