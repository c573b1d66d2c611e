import type { CommandOf } from '#ledger/commands';
import { notFound } from '#ledger/refusal';
import { ColorField, NameField } from '#http/fields';
import type { HouseholdCall } from '../household-call.js';
import { BudgetWrite } from '../month-write.js';
import type { GroupIdentityResponse } from '../months/month.response.js';

/** The body of `PATCH /groups/{groupId}`. Only the fields that are there change. */
export class ChangeGroupBody {
  @NameField({ optional: true, description: 'Its name in every month', example: 'Food' })
  name?: string;

  @ColorField({ optional: true, description: 'Its colour in every month, as `#rrggbb`' })
  color?: string;
}

/** Renames or recolours a group in every month. */
export class ChangeGroup extends BudgetWrite<CommandOf<'ChangeGroup'>, GroupIdentityResponse> {
  constructor(call: HouseholdCall, groupId: string, { name, color }: ChangeGroupBody) {
    super(
      call,
      () => ({ type: 'ChangeGroup', groupId, changes: { name, color } }),
      ({ household, replayed }) => {
        const group = household.groups.get(groupId);
        if (!group) throw notFound('group', groupId);
        const { id, isIncome } = group;
        return { body: { id, name: group.name, color: group.color, is_income: isIncome }, replayed };
      },
    );
  }
}
