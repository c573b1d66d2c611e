import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiError, validationFailed } from '#http/api-error';
import { ExactTextField } from '#http/fields';
import { ErasureWork } from '../erasure/erasure-work.js';
import { Households, requireMember } from './households.js';
import type { Caller } from '../access/caller.js';
import { CommandOf } from '../use-case.js';

/** The body of `DELETE /households/{householdId}`. */
export class DeleteHouseholdBody {
  @ExactTextField({ description: 'The name of the household, exactly as it is', example: 'Maple Street' })
  name!: string;
}

export class DeleteHousehold extends CommandOf<{
  caller: Caller;
  householdId: string;
  body: DeleteHouseholdBody;
}> {}

/** Erases a household for good, even an archived one; only an owner may. */
@CommandHandler(DeleteHousehold)
export class DeleteHouseholdHandler implements ICommandHandler<DeleteHousehold> {
  constructor(
    private readonly households: Households,
    private readonly erasures: ErasureWork,
  ) {}

  async execute({ asked: { caller, householdId, body } }: DeleteHousehold): Promise<void> {
    const household = await this.households.require(householdId);
    if (requireMember(household, caller.userId).role !== 'owner') throw new ApiError('owner_required');
    if (body.name !== household.name) {
      throw validationFailed([{ path: 'name', message: 'must be the name of the household' }]);
    }
    if (household.personalOf !== null) throw new ApiError('personal_household');
    await this.erasures.eraseHousehold(householdId, caller.userId);
  }
}
