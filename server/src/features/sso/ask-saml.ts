import { DAY } from '../../platform/clock.js'
import { OutboundError } from '../../platform/http/outbound.js'
import { factsOf } from './certificate.js'
import type { SsoDeps } from './deps.js'
import { fetchMetadata } from './fetch-metadata.js'
import { clockFinding, type Finding } from './findings.js'
import type { Provider } from './provider.js'
import { ProviderFault } from './provider-fault.js'
import { readSamlMetadata, type SamlFacts } from './read-saml-metadata.js'

type AskDeps = Pick<SsoDeps, 'clock' | 'config' | 'outbound'>

/** What can be seen of a provider of SAML without a sign-in: its metadata, its address, its certificates, its clock. */
export async function askSaml(deps: AskDeps, provider: Provider): Promise<Finding[]> {
  const [metadata, endpoint] = await Promise.all([askMetadata(deps, provider), askEndpoint(deps, provider)])
  return [
    endpointsFinding(provider),
    ...metadata.findings,
    ...endpoint.findings,
    ...certificateFindings(provider, deps.clock.ms()),
    clockFinding(metadata.date ?? endpoint.date, deps.clock.ms()),
  ]
}

interface Asked {
  findings: Finding[]
  /** As the answer says it. */
  date?: string | undefined
}

function endpointsFinding({ samlSsoUrl, samlSloUrl, samlMetadataUrl }: Provider): Finding {
  const id = 'endpoints'
  const plain = [samlSsoUrl, samlSloUrl, samlMetadataUrl].filter((url) => url?.startsWith('http:'))
  if (plain.length === 0) return { id, status: 'ok', detail: 'Its addresses are https' }
  const detail = `${plain.length} of its addresses are reached in the clear`
  return { id, status: 'warning', detail, fix: 'Use https: whoever stands between can read and change what is sent.' }
}

const METADATA = ['metadata', 'metadata_entity', 'metadata_certificates']

async function askMetadata({ outbound, clock, config }: AskDeps, provider: Provider): Promise<Asked> {
  const { samlMetadataUrl: url, samlEntityId } = provider
  const skipped = (ids: string[], detail: string) => ids.map((id): Finding => ({ id, status: 'skipped', detail }))
  if (!url) return { findings: skipped(METADATA, 'The provider has no address of metadata') }
  try {
    const { xml, date } = await fetchMetadata(outbound.ofTeam(provider.organizationId), url)
    const rules = { now: clock.ms(), httpAllowed: !config.secure }
    const read = readSamlMetadata(xml, { ...rules, entityId: samlEntityId ?? undefined })
    if ('facts' in read) return { findings: metadataFindings(provider, read.facts), date }
    const other = readSamlMetadata(xml, { ...rules, entityId: undefined })
    const fix = 'Save the provider with the metadata of the one that is meant.'
    const findings: Finding[] =
      'facts' in other
        ? [ok('metadata', 'It can be read'), { id: 'metadata_entity', status: 'failed', detail: read.fault, fix }]
        : [{ id: 'metadata', status: 'failed', detail: read.fault, fix: 'Ask the provider for its SAML 2.0 metadata.' }]
    return { findings: [...findings, ...skipped(METADATA.slice(findings.length), 'Nothing of it is used')], date }
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error
    const fix = 'Look at the address: it must be reachable from this service, by TLS that the system trusts.'
    const failed: Finding = { id: 'metadata', status: 'failed', detail: error.message, fix }
    return { findings: [failed, ...skipped(METADATA.slice(1), 'It cannot be read')] }
  }
}

function metadataFindings({ samlCertificates }: Provider, facts: SamlFacts): Finding[] {
  const id = 'metadata_certificates'
  const stored = new Set(samlCertificates.map(printOf))
  const missing = facts.certificates.filter((pem) => !stored.has(printOf(pem)))
  const [first] = missing
  const fix = 'Give samlCertificates back to the metadata (samlCertificate: null), or add the certificate yourself.'
  return [
    ok('metadata', facts.warnings.length > 0 ? `It can be read; ${facts.warnings.join('; ')}` : 'It can be read'),
    ok('metadata_entity', 'It is of the entity that you wrote'),
    first === undefined
      ? ok(id, 'Every certificate that it publishes is known here')
      : {
          id,
          // Where it signs by none that is known, nobody can sign in.
          status: missing.length === facts.certificates.length ? 'failed' : 'warning',
          detail: `${missing.length} of its certificates are not known here: ${missing.map(printOf).join(', ')}`,
          fix,
        },
  ]
}

/** Only whether somebody answers there, and by which TLS: a request to sign in is what a browser brings. */
async function askEndpoint({ outbound }: AskDeps, { samlSsoUrl, organizationId }: Provider): Promise<Asked> {
  const url = samlSsoUrl ?? ''
  const isTls = url.startsWith('https:')
  try {
    const { status, headers } = await outbound
      .ofTeam(organizationId)
      .send(url, { method: 'GET', headers: { accept: 'text/html' } })
    const tls = isTls ? ok('tls', 'Its certificate of TLS is trusted') : plain('The address is not https')
    const detail = `It answers, with the status ${status} to a request that says nothing`
    const endpoint: Finding =
      status === 404
        ? { id: 'sso_endpoint', status: 'warning', detail, fix: 'Compare samlSsoUrl with what the provider says.' }
        : ok('sso_endpoint', detail)
    return { findings: [endpoint, tls], date: [headers.date].flat()[0] }
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof TypeError)) throw error
    const fix =
      'Browsers are sent there: look at the address. A provider that only your own network reaches is no fault.'
    const endpoint: Finding = { id: 'sso_endpoint', status: 'warning', detail: `Nobody answers: ${error.message}`, fix }
    const tls: Finding = TLS_FAULT.test(error.message)
      ? {
          id: 'tls',
          status: 'failed',
          detail: error.message,
          fix: 'Browsers would warn of it: renew that certificate.',
        }
      : plain('No connection came about')
    return { findings: [endpoint, tls] }
  }
}

/** As Node and OpenSSL call what is wrong with a certificate of TLS. */
const TLS_FAULT = /\((?:CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)\w*\)/

const plain = (detail: string): Finding => ({ id: 'tls', status: 'skipped', detail })
const ok = (id: string, detail: string): Finding => ({ id, status: 'ok', detail })
const printOf = (pem: string): string => factsOf(pem)?.fingerprint ?? 'unreadable'

const SOON = 30 * DAY

/** One that is over is no fault beside one that is not: the provider has gone over to it. */
function certificateFindings({ samlCertificates }: Provider, now: number): Finding[] {
  const all = samlCertificates.map(factsOf)
  const isValid = (facts: (typeof all)[number]) =>
    facts !== undefined && facts.validFrom.getTime() <= now && facts.validTo.getTime() > now
  const anyValid = all.some(isValid)
  const endsLater = all.some((facts) => facts !== undefined && facts.validTo.getTime() - now >= SOON)
  return all.map((facts, index): Finding => {
    const id = `certificate_${index + 1}`
    if (!facts) return { id, status: 'failed', detail: 'It cannot be read', fix: 'Upload it once more.' }
    const [from, to] = [facts.validFrom, facts.validTo].map((date) => date.toISOString().slice(0, 10))
    const detail = `${facts.subject}, valid from ${from} to ${to}`
    const fix = 'Ask the provider for its new certificate, and add it beside this one.'
    if (!isValid(facts)) return { id, status: anyValid ? 'warning' : 'failed', detail, fix }
    const endsSoon = facts.validTo.getTime() - now < SOON
    return endsSoon && !endsLater ? { id, status: 'warning', detail, fix } : { id, status: 'ok', detail }
  })
}
