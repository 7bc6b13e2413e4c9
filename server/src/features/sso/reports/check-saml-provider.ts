import { DAY } from '../../../platform/clock.js'
import { OutboundError } from '../../../platform/http/outbound.js'
import { certificateFields } from '../model/certificate.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { ProviderError } from '../model/provider-error.js'
import { fetchMetadata } from '../saml-metadata/fetch-metadata.js'
import { readSamlMetadata, type SamlMetadataSettings } from '../saml-metadata/read-metadata.js'
import { clockFinding, type Finding } from './findings.js'

type CheckDeps = Pick<SsoDeps, 'clock' | 'config' | 'outbound'>

/** Checks what can be checked of a SAML provider without a sign-in: metadata, sign-in endpoint, certificates and clock. */
export async function checkSamlProvider(deps: CheckDeps, provider: Provider): Promise<Finding[]> {
  const [metadata, endpoint] = await Promise.all([checkMetadata(deps, provider), checkEndpoint(deps, provider)])
  return [
    endpointsFinding(provider),
    ...metadata.findings,
    ...endpoint.findings,
    ...certificateFindings(provider, deps.clock.ms()),
    clockFinding(metadata.date ?? endpoint.date, deps.clock.ms()),
  ]
}

interface CheckResult {
  findings: Finding[]
  /** The `Date` header of the response. */
  date?: string | undefined
}

function endpointsFinding({ samlSsoUrl, samlSloUrl, samlMetadataUrl }: Provider): Finding {
  const id = 'endpoints'
  const plain = [samlSsoUrl, samlSloUrl, samlMetadataUrl].filter((url) => url?.startsWith('http:'))
  if (plain.length === 0) return { id, status: 'ok', detail: 'All URLs of the provider use https' }
  const detail = `${plain.length} URLs of the provider use http`
  return {
    id,
    status: 'warning',
    detail,
    fix: 'Use https: over http, a third party on the network can read and change the messages.',
  }
}

const METADATA = ['metadata', 'metadata_entity', 'metadata_certificates']

async function checkMetadata({ outbound, clock, config }: CheckDeps, provider: Provider): Promise<CheckResult> {
  const { samlMetadataUrl: url, samlEntityId } = provider
  const skipped = (ids: string[], detail: string) => ids.map((id): Finding => ({ id, status: 'skipped', detail }))
  if (!url) return { findings: skipped(METADATA, 'The provider has no metadata URL') }
  try {
    const { xml, date } = await fetchMetadata(outbound.ofTeam(provider.organizationId), url)
    const rules = { now: clock.ms(), httpAllowed: !config.secure }
    const read = readSamlMetadata(xml, { ...rules, entityId: samlEntityId ?? undefined })
    if ('facts' in read) return { findings: metadataFindings(provider, read.facts), date }
    const other = readSamlMetadata(xml, { ...rules, entityId: undefined })
    const fix = 'Save the provider with the metadata of the correct identity provider.'
    const findings: Finding[] =
      'facts' in other
        ? [
            ok('metadata', 'The metadata is valid'),
            { id: 'metadata_entity', status: 'failed', detail: read.fault, fix },
          ]
        : [{ id: 'metadata', status: 'failed', detail: read.fault, fix: 'Ask the provider for its SAML 2.0 metadata.' }]
    return { findings: [...findings, ...skipped(METADATA.slice(findings.length), 'The metadata is not used')], date }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const fix = 'Check the URL: it must be reachable from this service, with a TLS certificate that the system trusts.'
    const failed: Finding = { id: 'metadata', status: 'failed', detail: error.message, fix }
    return { findings: [failed, ...skipped(METADATA.slice(1), 'The metadata cannot be read')] }
  }
}

function metadataFindings({ samlCertificates }: Provider, facts: SamlMetadataSettings): Finding[] {
  const id = 'metadata_certificates'
  const stored = new Set(samlCertificates.map(fingerprintOf))
  const missing = facts.certificates.filter((pem) => !stored.has(fingerprintOf(pem)))
  const [first] = missing
  const fix = 'Set samlCertificate to null to take the certificates from the metadata, or add the certificate yourself.'
  return [
    ok('metadata', ['The metadata is valid', ...facts.warnings].join('; ')),
    ok('metadata_entity', 'The entity ID matches the configured one'),
    first === undefined
      ? ok(id, 'Every certificate in the metadata is configured here')
      : {
          id,
          // If the provider signs only with unknown certificates, every sign-in fails.
          status: missing.length === facts.certificates.length ? 'failed' : 'warning',
          detail: `${missing.length} certificates in the metadata are not configured here: ${missing.map(fingerprintOf).join(', ')}`,
          fix,
        },
  ]
}

/** Checks only that the sign-in endpoint responds, and its TLS certificate: a real AuthnRequest comes from a browser. */
async function checkEndpoint({ outbound }: CheckDeps, { samlSsoUrl, organizationId }: Provider): Promise<CheckResult> {
  const url = samlSsoUrl ?? ''
  const isTls = url.startsWith('https:')
  try {
    const { status, headers } = await outbound
      .ofTeam(organizationId)
      .send(url, { method: 'GET', headers: { accept: 'text/html' } })
    const tls = isTls ? ok('tls', 'The TLS certificate is trusted') : plain('The URL does not use https')
    const detail = `The endpoint responds with status ${status} to an empty request`
    const endpoint: Finding =
      status === 404
        ? {
            id: 'sso_endpoint',
            status: 'warning',
            detail,
            fix: 'Compare samlSsoUrl with the sign-in URL that the provider shows.',
          }
        : ok('sso_endpoint', detail)
    return { findings: [endpoint, tls], date: [headers.date].flat()[0] }
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof TypeError)) throw error
    const fix =
      'Check the URL: browsers are sent there. Ignore this warning if only your own network can reach the provider.'
    const endpoint: Finding = { id: 'sso_endpoint', status: 'warning', detail: `No response: ${error.message}`, fix }
    const tls: Finding = TLS_FAULT.test(error.message)
      ? {
          id: 'tls',
          status: 'failed',
          detail: error.message,
          fix: 'Renew the TLS certificate: browsers warn about it.',
        }
      : plain('The connection failed')
    return { findings: [endpoint, tls] }
  }
}

/** The codes of Node and OpenSSL for an invalid TLS certificate. */
const TLS_FAULT = /\((?:CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)\w*\)/

const plain = (detail: string): Finding => ({ id: 'tls', status: 'skipped', detail })
const ok = (id: string, detail: string): Finding => ({ id, status: 'ok', detail })
const fingerprintOf = (pem: string): string => certificateFields(pem)?.fingerprint ?? 'unreadable'

const SOON = 30 * DAY

/** Reports an expired certificate only as a warning while another one is valid: the provider has rolled over. */
function certificateFindings({ samlCertificates }: Provider, now: number): Finding[] {
  const all = samlCertificates.map(certificateFields)
  const isValid = (facts: (typeof all)[number]) =>
    facts !== undefined && facts.validFrom.getTime() <= now && facts.validTo.getTime() > now
  const anyValid = all.some(isValid)
  const endsLater = all.some((facts) => facts !== undefined && facts.validTo.getTime() - now >= SOON)
  return all.map((facts, index): Finding => {
    const id = `certificate_${index + 1}`
    if (!facts) return { id, status: 'failed', detail: 'The certificate cannot be read', fix: 'Upload it again.' }
    const [from, to] = [facts.validFrom, facts.validTo].map((date) => date.toISOString().slice(0, 10))
    const detail = `${facts.subject}, valid from ${from} to ${to}`
    const fix = 'Ask the provider for its new certificate, and add it next to this one.'
    if (!isValid(facts)) return { id, status: anyValid ? 'warning' : 'failed', detail, fix }
    const endsSoon = facts.validTo.getTime() - now < SOON
    return endsSoon && !endsLater ? { id, status: 'warning', detail, fix } : { id, status: 'ok', detail }
  })
}
