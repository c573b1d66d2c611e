import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { NameField } from '#http/fields';
import { Profiles } from '../accounts/me.js';
import type { HouseholdAnswer } from './household-answer.js';
import { Households } from './households.js';

export class CreateHouseholdBody {
  @NameField({ example: 'Maple Street' })
  name!: string;
}

export class CreateHousehold extends Command<HouseholdAnswer> {
  constructor(
    readonly userId: string,
    readonly body: CreateHouseholdBody,
  ) {
    super();
  }
}

/** A further household, owned by the caller; it has no month yet. */
@CommandHandler(CreateHousehold)
export class CreateHouseholdHandler implements ICommandHandler<CreateHousehold> {
  constructor(
    private readonly households: Households,
    private readonly profiles: Profiles,
  ) {}

  async execute({ userId, body }: CreateHousehold): Promise<HouseholdAnswer> {
    const household = await this.households.create(body.name, userId);
    return this.profiles.household(household, userId);
  }
}
