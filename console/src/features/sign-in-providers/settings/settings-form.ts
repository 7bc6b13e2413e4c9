import type { SsoProvider, SsoProviderChanges } from '../../../api/contract'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { filledRows } from '../../../ui/form/rows-field'
import { ssoWords as words } from '../../../words'
import { fixedIssuer, vendorOf } from '../vendors'
import { changesOf, domainsOf, faultOfAddress, isCertificate, typedPem, wrongDomains } from './provider-form'

const endpoints = ['oidcAuthUrl', 'oidcTokenUrl', 'oidcUserinfoUrl'] as const

export const settingNames = [
  'name',
  'oidcIssuer',
  'oidcClientId',
  'oidcClientSecret',
  ...endpoints,
  'oidcScopes',
  'caCertificate',
  'samlMetadataUrl',
  'samlMetadata',
  'samlEntityId',
  'samlSsoUrl',
  'samlSloUrl',
  'samlSloPostUrl',
  'samlCertificate',
  'allowedDomains',
  'options',
] as const

type Name = (typeof settingNames)[number]

export function wrongSettings(provider: SsoProvider, values: Values<Name>): Errors<Name> {
  const authority = values.caCertificate.trim()
  return {
    ...(!values.name.trim() && { name: words.nameMissing }),
    ...(authority && !isCertificate(authority) && { caCertificate: words.certificateWrong }),
    ...wrongDomains('allowedDomains', values.allowedDomains),
    ...(provider.protocol === 'OIDC' ? wrongOidc(provider, values) : wrongSaml(values)),
  }
}

function wrongOidc(provider: SsoProvider, values: Values<Name>): Errors<Name> {
  const fault = faultOfAddress(values.oidcIssuer.trim())
  const isForAll = fixedIssuer(vendorOf(provider)) === values.oidcIssuer.trim()
  const addresses = endpoints.filter((name) => values[name].trim() && faultOfAddress(values[name].trim()))
  return {
    ...(fault && { oidcIssuer: fault }),
    ...(!values.oidcClientId.trim() && { oidcClientId: words.missing }),
    ...(isElsewhere(provider, values) && !values.oidcClientSecret.trim() && { oidcClientSecret: words.secretNeeded }),
    ...(isForAll && domainsOf(values.allowedDomains).length === 0 && { allowedDomains: words.domainsNeeded }),
    ...Object.fromEntries(addresses.map((name) => [name, words.urlWrong])),
  }
}

/** Whether the secret would be sent to another place than the one for which it was given. */
const isElsewhere = (provider: SsoProvider, values: Values<Name>): boolean =>
  provider.hasClientSecret === true &&
  ((['oidcIssuer', 'oidcTokenUrl'] as const).some((name) => values[name].trim() !== (provider[name] ?? '')) ||
    typedPem(provider.caCertificate, values.caCertificate) !== (provider.caCertificate ?? null))

const samlAddresses = ['samlMetadataUrl', 'samlSsoUrl', 'samlSloUrl', 'samlSloPostUrl'] as const

function wrongSaml(values: Values<Name>): Errors<Name> {
  const wrong = samlAddresses.filter((name) => values[name].trim() && faultOfAddress(values[name].trim()))
  const certificate = values.samlCertificate.trim()
  return {
    ...Object.fromEntries(wrong.map((name) => [name, words.urlWrong])),
    ...(certificate && !isCertificate(certificate) && { samlCertificate: words.certificateWrong }),
  }
}

/** Only what was changed, so that what somebody else changed meanwhile stays. */
export function settingsChanges(provider: SsoProvider, values: Values<Name>): SsoProviderChanges {
  const options = filledRows(values.options)
  const now: SsoProviderChanges = {
    name: values.name.trim(),
    caCertificate: typedPem(provider.caCertificate, values.caCertificate),
    allowedDomains: domainsOf(values.allowedDomains),
    autoProvision: options.includes('autoProvision'),
    trustsMfa: options.includes('trustsMfa'),
    ...(provider.protocol === 'OIDC'
      ? {
          trustsEmail: options.includes('trustsEmail'),
          oidcIssuer: values.oidcIssuer.trim(),
          oidcClientId: values.oidcClientId.trim(),
          oidcScopes: [...new Set(filledRows(values.oidcScopes))],
          ...Object.fromEntries(endpoints.map((name) => [name, values[name].trim() || null])),
        }
      : {
          allowIdpInitiated: options.includes('allowIdpInitiated'),
          samlEntityId: values.samlEntityId.trim() || null,
          ...Object.fromEntries(samlAddresses.map((name) => [name, values[name].trim() || null])),
        }),
  }
  return { ...changesOf(provider, now), ...writtenOnly(provider, values) }
}

/** What nobody can read again is sent where it was typed. */
function writtenOnly({ protocol }: SsoProvider, values: Values<Name>): SsoProviderChanges {
  const names = protocol === 'OIDC' ? (['oidcClientSecret'] as const) : (['samlMetadata', 'samlCertificate'] as const)
  return Object.fromEntries(names.filter((name) => values[name].trim()).map((name) => [name, values[name]]))
}
