import type { NewSsoProvider } from '../../../api/contract'
import m from '../../../messages/en/sign-in-providers.json'
import type { FieldErrors } from '../../../ui/form/field-rules'
import { isCertificate, urlError } from '../settings/provider-form'

/** The ways to enter the values of a SAML provider. */
export const sources = ['url', 'xml', 'manual'] as const

export type Source = (typeof sources)[number]

export interface SourceValues {
  source: string
  samlMetadataUrl: string
  samlMetadata: string
  samlEntityId: string
  samlSsoUrl: string
  samlCertificate: string
}

/** The fields of the form for a SAML provider. */
export type SamlValues = SourceValues & { name: string; allowedDomains: string } & Record<string, unknown>

/** Returns the errors in the fields of the chosen source. */
export function sourceErrors(values: SourceValues): FieldErrors<SourceValues> {
  if (values.source === 'url') {
    const error = urlError(values.samlMetadataUrl)
    return error ? { samlMetadataUrl: error } : {}
  }
  if (values.source === 'xml') return values.samlMetadata.trim() ? {} : { samlMetadata: m.missing() }
  const error = urlError(values.samlSsoUrl)
  return {
    ...(!values.samlEntityId.trim() && { samlEntityId: m.missing() }),
    ...(error && { samlSsoUrl: error }),
    ...(!isCertificate(values.samlCertificate) && { samlCertificate: m.certificateWrong() }),
  }
}

/** Returns the settings of the chosen source. */
export function sourceSettings(values: SourceValues): Partial<NewSsoProvider> {
  if (values.source === 'url') return { samlMetadataUrl: values.samlMetadataUrl.trim() }
  if (values.source === 'xml') return { samlMetadata: values.samlMetadata.trim() }
  return {
    samlEntityId: values.samlEntityId.trim(),
    samlSsoUrl: values.samlSsoUrl.trim(),
    samlCertificate: values.samlCertificate.trim(),
  }
}
