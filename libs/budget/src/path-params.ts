import { UlidParam } from '#http/path-params';

/** The ids in this library's paths. */

export const GroupIdParam = (): ParameterDecorator =>
  UlidParam('groupId', 'The group, as its months name it');

export const ItemIdParam = (): ParameterDecorator => UlidParam('itemId', 'The item, as its months name it');

export const TransactionIdParam = (): ParameterDecorator =>
  UlidParam('transactionId', 'The transaction: the id that its client made');
