import { UlidParam } from '#http/path-params';

/** The ids in this library's paths that more than one route has. */

export const HouseholdIdParam = (): ParameterDecorator =>
  UlidParam('householdId', 'The household, as `GET /households` lists it');

export const MemberIdParam = (): ParameterDecorator =>
  UlidParam('userId', 'The member, as the list of members names it');

export const InviteIdParam = (): ParameterDecorator =>
  UlidParam('inviteId', 'The invite, as the lists of invites name it');
