import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../../platform/db/database.js'
import type { SsoProviderId } from '../../../platform/ids.js'
import { certificateOf } from '../model/certificate.js'
import type { SsoDeps } from '../model/deps.js'
import { outboundTo, type Provider, type ProviderSettings } from '../model/provider.js'
import { ProviderError, requireProviderError } from '../model/provider-error.js'
import { findAnyProvider, providerRepository } from '../model/repository.js'
import { METADATA_FIELDS, type MetadataField } from '../tables.js'
import { noteFailed, noteRead } from './due.js'
import { fetchMetadata } from './fetch-metadata.js'
import { fieldsOf, isEmpty, REQUEST_URL } from './merge-metadata.js'
import { readSamlMetadata, type SamlMetadataSettings } from './read-metadata.js'

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
    if ('violation' in read) await repository.note(before, noteFailed(clock, read.violation))
    else await take(tx, deps, before, read.facts, requestId)
  })
}

async function readAnew(
  { outbound, clock, config }: RefreshDeps,
  provider: Provider,
  url: string,
): Promise<{ facts: SamlMetadataSettings } | { violation: string }> {
  const fetched = await fetchMetadata(outboundTo(outbound, provider), url).catch(requireProviderError)
  if (fetched instanceof ProviderError) return { violation: fetched.message }
  // Another entity ID gives every subject a new meaning, so only an administrator may change it.
  const entityId = provider.samlEntityId ?? undefined
  return readSamlMetadata(fetched.xml, { now: clock.ms(), entityId, httpAllowed: !config.secure })
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
  const isFilled = (field: MetadataField) => before.samlFromMetadata.includes(field) || isEmpty(before[field])
  const taken = METADATA_FIELDS.filter((field) => isFilled(field) && isFilled(REQUEST_URL[field] ?? field))
  const changed = taken.filter((field) => !isDeepStrictEqual(before[field], resulting[field]))
  return {
    ...Object.fromEntries(changed.map((field) => [field, resulting[field]])),
    changed,
    samlFromMetadata: taken.filter((field) => !isEmpty(resulting[field])),
  }
}

/** The current certificate of a provider, and the previous or next one. */
const MOST = 2

/**
 * Returns the certificates after a provider has published others than the stored ones. A stored certificate that is no longer published
 * is kept in two cases: until the next reading, if all have changed at once, since the provider may still sign with it; and while it is
 * the only unexpired one.
 * @param published newest first; at least one
 */
function rollOver(stored: readonly string[], published: readonly string[], now: number): string[] {
  const isKnown = (pem: string, among: readonly string[]) =>
    among.some((other) => fingerprintOf(other) === fingerprintOf(pem))
  const isValid = (pem: string) => (certificateOf(pem)?.notAfter.getTime() ?? 0) > now
  const dropped = stored.filter((pem) => !isKnown(pem, published))
  const staying = dropped.find(isValid)
  const allChanged = dropped.length === stored.length
  if (staying === undefined || !(allChanged || !published.some(isValid))) return published.slice(0, MOST)
  return [...published.slice(0, MOST - 1), staying]
}

/** Whether two lists contain the same certificates, in any order and encoding. */
function sameCertificates(one: readonly string[], other: readonly string[]): boolean {
  const prints = (list: readonly string[]) => [...new Set(list.map(fingerprintOf))].sort().join()
  return prints(one) === prints(other)
}

const fingerprintOf = (pem: string): string => certificateOf(pem)?.fingerprint ?? pem
