import { ColorField, NameField, UlidField } from '#http/fields';
import { knownId } from '../either-new-or-known.js';
import type { HouseholdCall } from '../household-call.js';
import { MonthWrite } from '../month-write.js';

/** Either a new group, by its name, or one that the household already has, by its id. */
export class AddGroupBody {
  @NameField({ optional: true, description: 'The name of a new group', example: 'Food' })
  name?: string;

  @ColorField({
    optional: true,
    description: 'The colour of a new group; if absent, the next one of a fixed palette',
  })
  color?: string;

  @UlidField({ optional: true, description: 'An existing group of the household, instead of a new one' })
  group_id?: string;
}

/** Adds a group to a month, last and without items. */
export class AddGroup extends MonthWrite {
  constructor(call: HouseholdCall, month: string, body: AddGroupBody) {
    super(call, fresh => {
      const known = knownId(body, 'group_id', ['name', 'color']);
      if (known !== null) return { type: 'PlaceGroup', month, groupId: known };
      const { name = '', color } = body;
      return { type: 'AddGroup', month, groupId: fresh.freshId(), name, color };
    });
  }
}
