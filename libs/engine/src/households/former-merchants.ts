import { EVERY_KEY } from '#storage/documents/declared';
import type { Collection, Documents } from '#storage/documents/documents';
import { pagesOf } from '#storage/documents/pages';
import { merchantKey, type MerchantDocument } from '#projections/household-documents';
import type { ActiveVersion } from '../versions/active-version.js';
import { readModelsOf } from './read-models.js';

/** How the collection was called while `İ` was not folded to `i`. */
const FORMER_NAME = 'merchants';
const PAGE = 500;

/** Keys the merchants of earlier checkouts as now: of those that fall together, the latest stays. @throws DocumentsUnavailable */
export async function takeOverFormerMerchants(
  documents: Documents,
  { active, beside }: ActiveVersion,
): Promise<void> {
  for (const version of beside ? [active, beside.version] : [active]) {
    const { merchants } = readModelsOf(version);
    const former = { ...merchants, name: `${FORMER_NAME}_g${version}` };
    await documents.ensure([former, merchants]);
    await takeOver(documents, former, merchants);
    // Relies on what was put before, as dropping does not.
    await documents.removePrefix(former, '');
    await documents.drop(former.name);
  }
}

async function takeOver(
  documents: Documents,
  former: Collection<MerchantDocument>,
  present: Collection<MerchantDocument>,
): Promise<void> {
  for await (const page of pagesOf(documents, former, EVERY_KEY, PAGE)) {
    const latest = new Map<string, MerchantDocument>();
    for (const document of page) {
      const household = document.key.slice(0, document.key.indexOf('|'));
      const key = merchantKey(household, document.merchant);
      if ((latest.get(key)?.revision ?? -1) < document.revision) latest.set(key, { ...document, key });
    }
    await documents.put(present, [...latest.values()]);
  }
}
