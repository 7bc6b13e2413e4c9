import type { FieldError } from '../../platform/app-error.js'
import type { TeamId } from '../../platform/ids.js'
import { addressFault } from './address-fault.js'
import type { ProviderDeps } from './deps.js'
import { rejection } from './errors.js'
import { fetchMetadata } from './fetch-metadata.js'
import type { ProviderSettings, WantedSettings } from './provider.js'
import { ProviderFault } from './provider-fault.js'
import { readSamlMetadata, type SamlFacts } from './read-saml-metadata.js'

/** Metadata that somebody gave with a change, read. */
export interface GivenMetadata {
  facts: SamlFacts
  /** An uploaded document takes the place of what was written by hand before it; that of an address leaves it. */
  uploaded: boolean
}

type Given = Pick<WantedSettings, 'samlMetadata' | 'samlMetadataUrl' | 'samlEntityId'>

/**
 * The metadata that a change of a provider needs: the document that is uploaded with it, or that at its address, if what results would
 * not be whole without, or if the address takes the place of another that has filled something. Asks the network, so it is called
 * outside of every transaction.
 * @throws sso_metadata_unreachable, sso_metadata_invalid
 */
export async function metadataFor(
  deps: Pick<ProviderDeps, 'clock' | 'config' | 'outbound'>,
  team: TeamId,
  before: ProviderSettings,
  wanted: WantedSettings,
): Promise<GivenMetadata | undefined> {
  if ((wanted.protocol ?? before.protocol) !== 'SAML2') return undefined
  const byHand = before.samlFromMetadata.includes('samlEntityId') ? undefined : before.samlEntityId
  const entityId = wanted.samlEntityId === undefined ? byHand : wanted.samlEntityId
  const known = wanted.samlEntityId ?? before.samlEntityId ?? undefined
  if (wanted.samlMetadata) {
    const facts = readGiven(deps, wanted.samlMetadata, wanted.samlEntityId ?? undefined, known, '/samlMetadata')
    return { facts, uploaded: true }
  }
  const url = wanted.samlMetadataUrl === undefined ? before.samlMetadataUrl : wanted.samlMetadataUrl
  // A wrong address is refused with everything else that is wrong.
  if (!url || addressFault(url, !deps.config.secure) || !needsMetadata(before, wanted, url)) return undefined
  const xml = await fetchGiven(deps, team, url, '/samlMetadataUrl')
  return { facts: readGiven(deps, xml, entityId ?? undefined, known, '/samlMetadataUrl'), uploaded: false }
}

function needsMetadata(before: ProviderSettings, wanted: WantedSettings & Given, url: string): boolean {
  const is = (field: 'samlEntityId' | 'samlSsoUrl') => (wanted[field] === undefined ? before[field] : wanted[field])
  const certificates =
    wanted.samlCertificates?.length ??
    (wanted.samlCertificate === undefined ? before.samlCertificates.length : Number(wanted.samlCertificate !== null))
  if (!is('samlEntityId') || !is('samlSsoUrl') || certificates === 0) return true
  return url !== before.samlMetadataUrl && before.samlFromMetadata.length > 0
}

/** @throws sso_metadata_unreachable at the field `path` */
export async function fetchGiven(
  { outbound }: Pick<ProviderDeps, 'outbound'>,
  team: TeamId,
  url: string,
  path: string,
): Promise<string> {
  try {
    return (await fetchMetadata(outbound.ofTeam(team), url)).xml
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    throw rejection('sso_metadata_unreachable', at(path, error.message))
  }
}

/**
 * @param known the entity that is meant where the document has several
 * @throws sso_metadata_invalid at the field `path`
 */
export function readGiven(
  { clock, config }: Pick<ProviderDeps, 'clock' | 'config'>,
  xml: string,
  entityId: string | undefined,
  known: string | undefined,
  path: string,
): SamlFacts {
  const question = { now: clock.ms(), httpAllowed: !config.secure }
  const first = readSamlMetadata(xml, { ...question, entityId })
  const read = 'fault' in first && entityId === undefined && known ? readKnown(first, xml, question, known) : first
  if ('fault' in read) throw rejection('sso_metadata_invalid', at(path, read.fault))
  return read.facts
}

/** A document of several entities may have the one that the provider is already. */
function readKnown(
  first: { fault: string },
  xml: string,
  question: { now: number; httpAllowed: boolean },
  known: string,
): ReturnType<typeof readSamlMetadata> {
  const second = readSamlMetadata(xml, { ...question, entityId: known })
  return 'fault' in second ? first : second
}

const at = (path: string, message: string): { detail: string; errors: FieldError[] } => ({
  detail: message,
  errors: [{ path, message }],
})
