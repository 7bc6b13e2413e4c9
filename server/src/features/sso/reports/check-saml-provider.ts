import { DAY } from '../../../platform/clock.js'
import { OutboundError } from '../../../platform/http/outbound.js'
import { certificateOf, writtenFingerprint } from '../model/certificate.js'
import type { SsoDeps } from '../model/deps.js'
import { logoutServicesOf, outboundTo, type Provider } from '../model/provider.js'
import { ProviderError } from '../model/provider-error.js'
import { fetchMetadata } from '../saml-metadata/fetch-metadata.js'
import { readSamlMetadata, type SamlMetadataSettings } from '../saml-metadata/read-metadata.js'
import { clockFinding, type Finding, failed, ok, skipped, warning } from './findings.js'

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

function endpointsFinding(provider: Provider): Finding {
  const services = logoutServicesOf(provider) ?? []
  const logout = services.flatMap(({ location, responseLocation }) => [location, responseLocation])
  const plain = [provider.samlSsoUrl, provider.samlMetadataUrl, ...logout].filter((url) => url?.startsWith('http:'))
  if (plain.length === 0) return ok('endpoints', 'All URLs of the provider use https')
  const fix = 'Use https: over http, a third party on the network can read and change the messages.'
  return warning('endpoints', `${plain.length} URLs of the provider use http`, fix)
}

const METADATA = ['metadata', 'metadata_entity', 'metadata_certificates']

async function checkMetadata({ outbound, clock, config }: CheckDeps, provider: Provider): Promise<CheckResult> {
  const { samlMetadataUrl: url, samlEntityId } = provider
  const skip = (ids: string[], detail: string) => ids.map((id) => skipped(id, detail))
  if (!url) return { findings: skip(METADATA, 'The provider has no metadata URL') }
  try {
    const { xml, date } = await fetchMetadata(outboundTo(outbound, provider), url)
    const rules = { now: clock.ms(), httpAllowed: !config.secure }
    const read = readSamlMetadata(xml, { ...rules, entityId: samlEntityId ?? undefined })
    if ('facts' in read) return { findings: metadataFindings(provider, read.facts), date }
    const other = readSamlMetadata(xml, { ...rules, entityId: undefined })
    const fix = 'Save the provider with the metadata of the correct identity provider.'
    const findings =
      'facts' in other
        ? [ok('metadata', 'The metadata is valid'), failed('metadata_entity', read.violation, fix)]
        : [failed('metadata', read.violation, 'Ask the provider for its SAML 2.0 metadata.')]
    return { findings: [...findings, ...skip(METADATA.slice(findings.length), 'The metadata is not used')], date }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const fix =
      'Check the URL: it must be reachable from this service, with a trusted TLS certificate. For a private CA, set caCertificate.'
    const unread = skip(METADATA.slice(1), 'The metadata cannot be read')
    return { findings: [failed('metadata', error.message, fix), ...unread] }
  }
}

function metadataFindings({ samlCertificates }: Provider, facts: SamlMetadataSettings): Finding[] {
  const id = 'metadata_certificates'
  const stored = new Set(samlCertificates.map(fingerprintOf))
  const missing = facts.certificates.filter((pem) => !stored.has(fingerprintOf(pem)))
  const fix = 'Set samlCertificate to null to take the certificates from the metadata, or add the certificate yourself.'
  const detail = `${missing.length} certificates in the metadata are not configured here: ${missing.map(fingerprintOf).join(', ')}`
  // If the provider signs only with unknown certificates, every sign-in fails.
  const finding = missing.length === facts.certificates.length ? failed : warning
  return [
    ok('metadata', ['The metadata is valid', ...facts.warnings].join('; ')),
    ok('metadata_entity', 'The entity ID matches the configured one'),
    missing.length === 0 ? ok(id, 'Every certificate in the metadata is configured here') : finding(id, detail, fix),
  ]
}

/** Checks only that the sign-in endpoint responds, and its TLS certificate: a real AuthnRequest comes from a browser. */
async function checkEndpoint({ outbound }: CheckDeps, provider: Provider): Promise<CheckResult> {
  const url = provider.samlSsoUrl ?? ''
  const isTls = url.startsWith('https:')
  try {
    const request = { method: 'GET', headers: { accept: 'text/html' } } as const
    const { status, headers } = await outboundTo(outbound, provider).send(url, request)
    const tls = isTls ? ok('tls', 'The TLS certificate is trusted') : skipped('tls', 'The URL does not use https')
    const detail = `The endpoint responds with status ${status} to an empty request`
    const fix = 'Compare samlSsoUrl with the sign-in URL that the provider shows.'
    const endpoint = status === 404 ? warning('sso_endpoint', detail, fix) : ok('sso_endpoint', detail)
    return { findings: [endpoint, tls], date: [headers.date].flat()[0] }
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof TypeError)) throw error
    const fix =
      'Check the URL: browsers are sent there. Ignore this warning if only your own network can reach the provider.'
    const tls = TLS_ERROR.test(error.message)
      ? failed('tls', error.message, 'Renew the TLS certificate: browsers warn about it.')
      : skipped('tls', 'The connection failed')
    return { findings: [warning('sso_endpoint', `No response: ${error.message}`, fix), tls] }
  }
}

/** The codes of Node and OpenSSL for an invalid TLS certificate. */
const TLS_ERROR = /\((?:CERT_|ERR_TLS|ERR_SSL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA)\w*\)/

const fingerprintOf = (pem: string): string => {
  const certificate = certificateOf(pem)
  return certificate ? writtenFingerprint(certificate) : 'unreadable'
}

const SOON = 30 * DAY

/** Reports an expired certificate only as a warning while another one is valid: the provider has rolled over. */
function certificateFindings({ samlCertificates }: Provider, now: number): Finding[] {
  const all = samlCertificates.map(certificateOf)
  const isValid = (facts: (typeof all)[number]) =>
    facts !== undefined && facts.notBefore.getTime() <= now && facts.notAfter.getTime() > now
  const anyValid = all.some(isValid)
  const endsLater = all.some((facts) => facts !== undefined && facts.notAfter.getTime() - now >= SOON)
  return all.map((facts, index): Finding => {
    const id = `certificate_${index + 1}`
    if (!facts) return failed(id, 'The certificate cannot be read', 'Upload it again.')
    const [from, to] = [facts.notBefore, facts.notAfter].map((date) => date.toISOString().slice(0, 10))
    const detail = `${facts.subject}, valid from ${from} to ${to}`
    const fix = 'Ask the provider for its new certificate, and add it next to this one.'
    if (!isValid(facts)) return (anyValid ? warning : failed)(id, detail, fix)
    const endsSoon = facts.notAfter.getTime() - now < SOON
    return endsSoon && !endsLater ? warning(id, detail, fix) : ok(id, detail)
  })
}
