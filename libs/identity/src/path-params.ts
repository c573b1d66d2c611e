import { UlidParam } from '#http/path-params';

/** The ids in this library's paths that more than one route has. */

export const HouseholdIdParam = (): ParameterDecorator =>
  UlidParam('householdId', 'The id of the household, as in `GET /households`');

export const MemberIdParam = (): ParameterDecorator =>
  UlidParam('userId', 'The user id of the member, as in the list of members');

export const InviteIdParam = (): ParameterDecorator =>
  UlidParam('inviteId', 'The id of the invite, as in the lists of invites');
