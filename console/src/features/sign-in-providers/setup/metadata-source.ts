import type { NewSsoProvider } from '../../../api/contract'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { ssoWords as words } from '../../../words'
import { faultOfAddress, isCertificate } from '../settings/provider-form'

/** Where what the provider is made of comes from. */
export const sources = ['url', 'xml', 'hand'] as const

export type Source = (typeof sources)[number]

export const samlNames = ['samlMetadataUrl', 'samlMetadata', 'samlEntityId', 'samlSsoUrl', 'samlCertificate'] as const

type Name = (typeof samlNames)[number]

/** What is missing for `source`. */
export function wrongSource(source: Source, values: Values<Name>): Errors<Name> {
  if (source === 'url') {
    const fault = faultOfAddress(values.samlMetadataUrl.trim())
    return fault ? { samlMetadataUrl: fault } : {}
  }
  if (source === 'xml') return values.samlMetadata.trim() ? {} : { samlMetadata: words.missing }
  const fault = faultOfAddress(values.samlSsoUrl.trim())
  return {
    ...(!values.samlEntityId.trim() && { samlEntityId: words.missing }),
    ...(fault && { samlSsoUrl: fault }),
    ...(!isCertificate(values.samlCertificate) && { samlCertificate: words.certificateWrong }),
  }
}

/** The fields of a provider that `source` stands for. */
export function sourceFields(source: Source, values: Values<Name>): Partial<NewSsoProvider> {
  if (source === 'url') return { samlMetadataUrl: values.samlMetadataUrl.trim() }
  if (source === 'xml') return { samlMetadata: values.samlMetadata.trim() }
  return {
    samlEntityId: values.samlEntityId.trim(),
    samlSsoUrl: values.samlSsoUrl.trim(),
    samlCertificate: values.samlCertificate.trim(),
  }
}
