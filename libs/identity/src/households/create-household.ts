import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#concurrency/clock';
import type { KeyedCommand } from '#storage/documents/idempotency-keys';
import { CurrencyField, NameField } from '#http/fields';
import type { Answer } from '#http/repeatable-write';
import { ACCOUNTS, type Account } from '../accounts/account-records.js';
import { Profiles } from '../accounts/profiles.js';
import { RecordChanges } from '../record-changes.js';
import {
  keyedCommand,
  RepeatableChanges,
  type AppliedCommand,
  type KeyedCall,
} from '../repeatable-changes.js';
import { Randomness } from '../secrets.js';
import type { HouseholdResponse } from './household.response.js';
import { Households, requireRoomBeside } from './households.js';
import { CommandOf } from '../use-case.js';

/** The body of `POST /households`. */
export class CreateHouseholdBody {
  @NameField({ description: 'The name of the household', example: 'Maple Street' })
  name!: string;

  @CurrencyField({
    optional: true,
    description:
      'What its amounts are in, by the code of ISO 4217; the operator’s `DEFAULT_CURRENCY` unless given',
  })
  currency?: string;
}

export class CreateHousehold extends CommandOf<
  { call: KeyedCall; body: CreateHouseholdBody },
  Answer<HouseholdResponse>
> {}

/** A further household, owned by the caller; it has no month yet. */
@CommandHandler(CreateHousehold)
export class CreateHouseholdHandler implements ICommandHandler<CreateHousehold> {
  constructor(
    private readonly households: Households,
    private readonly profiles: Profiles,
    private readonly changes: RecordChanges,
    private readonly repeatable: RepeatableChanges,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** One after the other for a user, since each counts the existing ones. */
  async execute(command: CreateHousehold): Promise<Answer<HouseholdResponse>> {
    return this.changes.inTurn(`households of ${command.asked.call.userId}`, () => this.create(command));
  }

  private async create({ asked: { call, body } }: CreateHousehold): Promise<Answer<HouseholdResponse>> {
    const draw = async (): Promise<string> => {
      requireRoomBeside(await this.households.ofMember(call.userId));
      return this.randomness.ulid(this.clock.now());
    };
    const command = keyedCommand(call, { command: 'create-household', body });
    const reserved = command && (await this.reserve(command, draw));
    // Also for a repetition: the first call may have ended before this.
    const id = reserved?.made ?? (await draw());
    const { household, isNew } = await this.households.create(id, body, call.userId);
    if (reserved) await this.repeatable.finish(call.userId, reserved, async () => undefined);
    return { body: await this.profiles.household(household, call.userId), replayed: !isNew };
  }

  /** Reserves the command among those of its user: its repetitions make the household of the same id. */
  private async reserve(command: KeyedCommand, draw: () => Promise<string>): Promise<AppliedCommand | null> {
    const make = async (current: Account) => ({ next: current, made: await draw() });
    return (await this.repeatable.change(ACCOUNTS, command.userId, command, 'unauthenticated', make)).applied;
  }
}
