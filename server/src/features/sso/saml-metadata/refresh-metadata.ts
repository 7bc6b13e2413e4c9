import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../../platform/db/database.js'
import type { SsoProviderId } from '../../../platform/ids.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider, ProviderSettings } from '../model/provider.js'
import { ProviderError } from '../model/provider-error.js'
import { findAnyProvider, providerRepository } from '../model/repository.js'
import { METADATA_FIELDS } from '../tables.js'
import { noteFailed, noteRead } from './due.js'
import { fetchMetadata } from './fetch-metadata.js'
import { fieldsOf, isEmpty } from './merge-metadata.js'
import { readSamlMetadata, type SamlMetadataSettings } from './read-metadata.js'
import { rollOver, sameCertificates } from './roll-over.js'

type RefreshDeps = Pick<SsoDeps, 'db' | 'clock' | 'audit' | 'config' | 'outbound'>

/**
 * Reads the metadata of a provider again and applies changes, except to manually entered settings. Metadata that cannot be read or used
 * changes nothing; the error is stored. The last editor of the provider stays the same.
 * @param requestId recorded with the audit entry of a change
 */
export async function refreshMetadata(deps: RefreshDeps, id: SsoProviderId, requestId: string): Promise<void> {
  const { db, clock } = deps
  const provider = await db.transaction((tx) => findAnyProvider(tx, id))
  if (provider?.protocol !== 'SAML2' || !provider.samlMetadataUrl) return
  const read = await readAnew(deps, provider, provider.samlMetadataUrl)
  await db.transaction(async (tx) => {
    const repository = providerRepository(tx, provider.organizationId)
    const before = await repository.lock(id)
    // A change that was saved meanwhile has read its own metadata, or made it due.
    if (!before || before.version !== provider.version) return
    if ('fault' in read) await repository.note(before, noteFailed(clock, read.fault))
    else await take(tx, deps, before, read.facts, requestId)
  })
}

async function readAnew(
  { outbound, clock, config }: RefreshDeps,
  { samlEntityId, organizationId }: Provider,
  url: string,
): Promise<{ facts: SamlMetadataSettings } | { fault: string }> {
  try {
    const { xml } = await fetchMetadata(outbound.ofTeam(organizationId), url)
    // Another entity ID gives every subject a new meaning, so only an administrator may change it.
    const entityId = samlEntityId ?? undefined
    return readSamlMetadata(xml, { now: clock.ms(), entityId, httpAllowed: !config.secure })
  } catch (error) {
    if (error instanceof ProviderError) return { fault: error.message }
    throw error
  }
}

async function take(
  tx: Transaction,
  { clock, audit }: RefreshDeps,
  before: Provider,
  facts: SamlMetadataSettings,
  requestId: string,
): Promise<void> {
  const repository = providerRepository(tx, before.organizationId)
  const noted = noteRead(clock, facts.freshFor)
  const { changed, ...change } = changeBy(before, facts, clock.ms())
  if (changed.length === 0) {
    await repository.note(before, noted)
    return
  }
  await repository.update(before, { ...change, ...noted, updatedAt: clock.now() })
  const origin = { ip: null, userAgent: null, requestId }
  await audit.record(tx, { userId: null, teamId: before.organizationId, origin }, 'sso_provider.updated', {
    resource: `sso_provider:${before.id}`,
    metadata: { changed: changed.toSorted(), by: 'metadata' },
  })
}

type Change = Partial<ProviderSettings> & Pick<ProviderSettings, 'samlFromMetadata'>

/** Returns the settings that the metadata changes, and the list of those that come from metadata. */
function changeBy(before: Provider, facts: SamlMetadataSettings, now: number): Change & { changed: string[] } {
  const published = fieldsOf(facts)
  const resulting = {
    ...published,
    samlCertificates: sameCertificates(before.samlCertificates, published.samlCertificates)
      ? before.samlCertificates
      : rollOver(before.samlCertificates, published.samlCertificates, now),
  }
  const taken = METADATA_FIELDS.filter((field) => before.samlFromMetadata.includes(field) || isEmpty(before[field]))
  const changed = taken.filter((field) => !isDeepStrictEqual(before[field], resulting[field]))
  return {
    ...Object.fromEntries(changed.map((field) => [field, resulting[field]])),
    changed,
    samlFromMetadata: taken.filter((field) => !isEmpty(resulting[field])),
  }
}
