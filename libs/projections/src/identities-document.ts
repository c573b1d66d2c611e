import type { Household } from '#ledger/household';

/** What a household's groups and items are in every month: joined to months and transactions when they are read. */
export interface IdentitiesDocument {
  /** The household. */
  readonly key: string;
  readonly revision: number;
  readonly groups: readonly {
    readonly id: string;
    readonly name: string;
    readonly color: string;
    readonly is_income: boolean;
    readonly color_revision: number;
  }[];
  readonly items: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: 'income' | 'expense';
    readonly is_fund: boolean;
    readonly fund_target: number | null;
    /** In how many months the item is now. */
    readonly months: number;
    readonly favorite_revision: number;
    readonly target_revision: number;
  }[];
  /** In the order in which they were made favourites. */
  readonly favorites: readonly string[];
}

/**
 * A document names a group or item that the identities beside it do not know. Documents are written one by
 * one, so a read between two writes may see this; it is read again once both are there.
 */
export class UnknownIdentity extends Error {
  override readonly name = 'UnknownIdentity';
}

/** What a document of identities was made of. */
type Made = Pick<Household, 'groups' | 'favorites'> & { readonly document: IdentitiesDocument };

/** The last document that was made of these items: most commands leave all identities as they are. */
const made = new WeakMap<Household['items'], Made>();

/** The document of a household's groups and items; the very same object while none of them changes. */
export function identitiesDocument(householdId: string, household: Household): IdentitiesDocument {
  const { groups, items, favorites, identitiesRevision } = household;
  const known = made.get(items);
  if (
    known?.groups === groups &&
    known.favorites === favorites &&
    known.document.revision === identitiesRevision
  ) {
    return known.document;
  }
  const document = makeDocument(householdId, household);
  made.set(items, { groups, favorites, document });
  return document;
}

function makeDocument(householdId: string, household: Household): IdentitiesDocument {
  return {
    key: householdId,
    revision: household.identitiesRevision,
    groups: [...household.groups.values()].map(({ id, name, color, isIncome, colorRevision }) => ({
      id,
      name,
      color,
      is_income: isIncome,
      color_revision: colorRevision,
    })),
    items: [...household.items.values()].map(item => ({
      id: item.id,
      name: item.name,
      kind: item.kind,
      is_fund: item.fund !== null,
      fund_target: item.fundTarget,
      months: item.months,
      favorite_revision: item.favoriteRevision,
      target_revision: item.targetRevision,
    })),
    favorites: household.favorites,
  };
}
