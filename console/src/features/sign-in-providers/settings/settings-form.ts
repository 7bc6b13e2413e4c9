import type { UseFormReturnType } from '@mantine/form'
import { boolean, type GenericSchema, object, pipe, string } from 'valibot'
import type { SsoProvider, SsoProviderChanges } from '../../../api/contract'
import m from '../../../messages/en/sign-in-providers.json'
import { type FieldErrors, fieldRules } from '../../../ui/form/field-rules'
import { fixedIssuer, vendorOf } from '../vendors'
import { changesOf, domainsError, domainsIn, isCertificate, typedPem, urlError } from './provider-form'

const endpoints = ['oidcAuthUrl', 'oidcTokenUrl', 'oidcUserinfoUrl'] as const
const samlUrls = ['samlMetadataUrl', 'samlSsoUrl', 'samlSloUrl', 'samlSloPostUrl'] as const
const options = ['autoProvision', 'trustsEmail', 'trustsMfa', 'allowIdpInitiated'] as const

const texts = [
  'name',
  'oidcIssuer',
  'oidcClientId',
  'oidcClientSecret',
  ...endpoints,
  'oidcScopes',
  'samlMetadata',
  'samlEntityId',
  ...samlUrls,
  'samlCertificate',
  'caCertificate',
  'allowedDomains',
] as const

/** The fields of the form, named as in the API so that its errors appear at the field. */
export type SettingsValues = Record<(typeof texts)[number], string> & Record<(typeof options)[number], boolean>

export type SettingsForm = UseFormReturnType<SettingsValues>

/** The initial values of the form. They never contain a secret. */
export function settingsValues(provider: SsoProvider): SettingsValues {
  const saved = provider as Record<string, unknown>
  return {
    ...(Object.fromEntries(texts.map((name) => [name, saved[name] ?? ''])) as Record<(typeof texts)[number], string>),
    ...(Object.fromEntries(options.map((name) => [name, saved[name] === true])) as Record<
      (typeof options)[number],
      boolean
    >),
    oidcScopes: (provider.oidcScopes ?? []).join(' '),
    allowedDomains: provider.allowedDomains.join(', '),
  }
}

/** @param provider the provider with which the form was filled */
export function settingsSchema(provider: SsoProvider): GenericSchema<SettingsValues> {
  const fields = [...texts.map((name) => [name, string()]), ...options.map((name) => [name, boolean()])]
  return pipe(
    object(Object.fromEntries(fields)) as unknown as GenericSchema<SettingsValues>,
    fieldRules<SettingsValues>((values) => settingsErrors(provider, values)),
  )
}

export function settingsErrors(provider: SsoProvider, values: SettingsValues): FieldErrors<SettingsValues> {
  const authority = values.caCertificate.trim()
  return {
    ...(!values.name.trim() && { name: m.nameMissing() }),
    ...(provider.protocol === 'OIDC' ? oidcErrors(provider, values) : samlErrors(values)),
    ...(authority && !isCertificate(authority) && { caCertificate: m.certificateWrong() }),
    ...domainErrors(provider, values),
  }
}

function domainErrors(provider: SsoProvider, values: SettingsValues): FieldErrors<SettingsValues> {
  const isShared = provider.protocol === 'OIDC' && fixedIssuer(vendorOf(provider)) === values.oidcIssuer.trim()
  const error = domainsError(values.allowedDomains, isShared)
  return error ? { allowedDomains: error } : {}
}

const urlErrors = (names: readonly (keyof SettingsValues)[], values: SettingsValues) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const error = values[name] && urlError(String(values[name]))
      return error ? [[name, error]] : []
    }),
  )

function oidcErrors(provider: SsoProvider, values: SettingsValues): FieldErrors<SettingsValues> {
  const issuer = urlError(values.oidcIssuer)
  return {
    ...(issuer && { oidcIssuer: issuer }),
    ...(!values.oidcClientId.trim() && { oidcClientId: m.missing() }),
    ...(changesReceiver(provider, values) && !values.oidcClientSecret.trim() && { oidcClientSecret: m.secretNeeded() }),
    ...urlErrors(endpoints, values),
  }
}

/** Returns whether the stored secret would be sent to another server. */
const changesReceiver = (provider: SsoProvider, values: SettingsValues): boolean =>
  provider.hasClientSecret === true &&
  ((['oidcIssuer', 'oidcTokenUrl'] as const).some((name) => values[name].trim() !== (provider[name] ?? '')) ||
    typedPem(provider.caCertificate, values.caCertificate) !== (provider.caCertificate ?? null))

function samlErrors(values: SettingsValues): FieldErrors<SettingsValues> {
  const certificate = values.samlCertificate.trim()
  return {
    ...urlErrors(samlUrls, values),
    ...(certificate && !isCertificate(certificate) && { samlCertificate: m.certificateWrong() }),
  }
}

/** Returns the changed settings only, and the secrets that were typed. */
export function settingsChanges(provider: SsoProvider, values: SettingsValues): SsoProviderChanges {
  const now: SsoProviderChanges = {
    name: values.name.trim(),
    caCertificate: typedPem(provider.caCertificate, values.caCertificate),
    allowedDomains: domainsIn(values.allowedDomains),
    autoProvision: values.autoProvision,
    trustsMfa: values.trustsMfa,
    ...(provider.protocol === 'OIDC'
      ? {
          trustsEmail: values.trustsEmail,
          oidcIssuer: values.oidcIssuer.trim(),
          oidcClientId: values.oidcClientId.trim(),
          oidcScopes: [...new Set(values.oidcScopes.split(/\s+/).filter(Boolean))],
          ...Object.fromEntries(endpoints.map((name) => [name, values[name].trim() || null])),
        }
      : {
          allowIdpInitiated: values.allowIdpInitiated,
          samlEntityId: values.samlEntityId.trim() || null,
          ...Object.fromEntries(samlUrls.map((name) => [name, values[name].trim() || null])),
        }),
  }
  return { ...changesOf(provider, now), ...typedSecrets(provider, values) }
}

/** The fields that the service never returns. */
export const writeOnly = ['oidcClientSecret', 'samlMetadata', 'samlCertificate'] as const

function typedSecrets({ protocol }: SsoProvider, values: SettingsValues): SsoProviderChanges {
  const names = writeOnly.filter((name) => name.startsWith('oidc') === (protocol === 'OIDC'))
  return Object.fromEntries(names.filter((name) => values[name].trim()).map((name) => [name, values[name]]))
}
