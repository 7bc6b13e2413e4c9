import type { FieldError } from '../../../platform/app-error.js'
import { caCertificateViolation } from '../../../platform/crypto/ca-certificates.js'
import { rejection } from '../../../platform/errors.js'
import { readDomain } from '../domains/domain-name.js'
import { certificateViolation } from '../model/certificate.js'
import type { ProviderSettings, WantedSettings } from '../model/provider.js'
import { urlViolation } from '../model/provider-url.js'
import { mergeMetadata } from '../saml-metadata/merge-metadata.js'
import type { RequiredMetadata } from '../saml-metadata/required-metadata.js'
import { namesManyTenants, oidcPreset } from './presets.js'

export interface SettingsRules {
  /** True if this service itself is served over http; provider URLs must use https otherwise. */
  httpAllowed: boolean
  /** Whether a client secret is stored. */
  hasSecret: boolean
  /** Metadata that was read for the change. */
  metadata?: RequiredMetadata | undefined
}

const URLS = [
  'samlSsoUrl',
  'samlSloUrl',
  'samlSloResponseUrl',
  'samlSloPostUrl',
  'samlSloPostResponseUrl',
  'samlMetadataUrl',
  'oidcIssuer',
  'oidcAuthUrl',
  'oidcTokenUrl',
  'oidcUserinfoUrl',
] as const

/**
 * Applies `wanted` to the settings and validates the result, which must be complete.
 * @throws invalid_request naming every invalid field
 */
export function resolveSettings(
  before: ProviderSettings,
  { samlCertificate, samlMetadata, oidcClientSecret, ...wanted }: WantedSettings,
  { httpAllowed, hasSecret, metadata }: SettingsRules,
): ProviderSettings {
  const errors: FieldError[] = []
  const given = new Set(Object.keys(wanted))
  if (samlCertificate !== undefined) given.add('samlCertificates')
  const replaced = samlCertificate === undefined ? undefined : [samlCertificate].filter((pem) => pem !== null)
  const overlaid: ProviderSettings = {
    ...before,
    ...wanted,
    // A list replaces the stored certificates, and so does a single one.
    samlCertificates: wanted.samlCertificates ?? replaced ?? before.samlCertificates,
    allowedDomains: wanted.allowedDomains ? readDomains(wanted.allowedDomains, errors) : before.allowedDomains,
  }
  const after = mergeMetadata(before, overlaid, given, metadata)
  if (after.protocol === 'OIDC' && after.oidcScopes.length === 0) after.oidcScopes = oidcPreset(after.type).scopes
  after.oidcScopes = [...new Set(after.oidcScopes)]
  for (const field of URLS) {
    const message = wanted[field] ? urlViolation(wanted[field], httpAllowed) : undefined
    if (message) errors.push({ path: `/${field}`, message })
  }
  const authorities = wanted.caCertificate ? caCertificateViolation(wanted.caCertificate) : undefined
  if (authorities) errors.push({ path: '/caCertificate', message: authorities })
  if (samlCertificate !== undefined || wanted.samlCertificates)
    errors.push(...certificateViolations(after, samlCertificate))
  errors.push(
    ...protocolViolations(after),
    ...missing(after, oidcClientSecret === undefined ? hasSecret : !!oidcClientSecret),
  )
  if (errors.length > 0) throw rejection('invalid_request', { detail: 'Some fields are missing or not valid', errors })
  return after
}

function readDomains(texts: string[], errors: FieldError[]): string[] {
  const domains = texts.map((text, index) => {
    const domain = readDomain(text)
    if (!domain)
      errors.push({ path: `/allowedDomains/${index}`, message: 'must be an email domain, such as example.com' })
    return domain ?? ''
  })
  return [...new Set(domains)]
}

function certificateViolations(
  { samlCertificates }: ProviderSettings,
  single: string | null | undefined,
): FieldError[] {
  return samlCertificates.flatMap((pem, index) => {
    const message = certificateViolation(pem)
    const path = single === undefined ? `/samlCertificates/${index}` : '/samlCertificate'
    return message ? [{ path, message }] : []
  })
}

function protocolViolations({ type, protocol, oidcIssuer, oidcScopes }: ProviderSettings): FieldError[] {
  const errors: FieldError[] = []
  if ((type === 'GENERIC_SAML' && protocol !== 'SAML2') || (type === 'GENERIC_OIDC' && protocol !== 'OIDC'))
    errors.push({ path: '/protocol', message: `must match the type ${type}` })
  if (protocol !== 'OIDC') return errors
  if (!oidcScopes.includes('openid')) errors.push({ path: '/oidcScopes', message: 'must contain openid' })
  if (oidcIssuer?.includes('?')) errors.push({ path: '/oidcIssuer', message: 'must not have a query' })
  if (namesManyTenants(oidcIssuer))
    errors.push({
      path: '/oidcIssuer',
      message: 'must name one tenant: a multi-tenant issuer verifies no email address',
    })
  return errors
}

function missing(settings: ProviderSettings, hasSecret: boolean): FieldError[] {
  const { protocol } = settings
  const { samlEntityId, samlSsoUrl, samlCertificates, oidcIssuer, oidcClientId } = settings
  const needed =
    protocol === 'SAML2'
      ? { samlEntityId, samlSsoUrl, samlCertificate: samlCertificates[0] }
      : { oidcIssuer, oidcClientId, oidcClientSecret: hasSecret }
  return Object.entries(needed)
    .filter(([, value]) => !value)
    .map(([field]) => ({ path: `/${field}`, message: `is required when protocol is ${protocol}` }))
}
