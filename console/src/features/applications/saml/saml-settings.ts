import type { Application, ApplicationChanges } from '../../../api/contract'
import type { Errors, Values } from '../../../ui/form/form-fields'
import { filledRows } from '../../../ui/form/rows-field'
import { samlWords as words } from '../../../words'
import { isAddress, wrongServiceProvider } from './service-provider-fields'

/** What an application can be told about people, as the service names it. */
export const toldFields = [
  'email',
  'firstName',
  'lastName',
  'displayName',
  'id',
  'groups',
  'role',
  'department',
  'title',
  'phone',
  'locale',
  'externalId',
] as const

type Told = (typeof toldFields)[number]

const format = (version: string, name: string) => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`

export const nameIdFormats = {
  email: format('1.1', 'emailAddress'),
  persistent: format('2.0', 'persistent'),
  transient: format('2.0', 'transient'),
  unspecified: format('1.1', 'unspecified'),
} as const

/** A format as people know it; one that this page does not know, as it is written. */
export function nameOfFormat(format: string): string {
  const known = (Object.keys(nameIdFormats) as (keyof typeof nameIdFormats)[]).find(
    (name) => nameIdFormats[name] === format,
  )
  return known ? words.nameIds[known] : format
}

const sloUrls = ['samlSpSloUrl', 'samlSpSloPostUrl'] as const
const settings = ['samlSpEntityId', 'samlSpAcsUrl', 'samlNameIdFormat', ...sloUrls, 'samlSpCertificate'] as const
const options = ['samlEncryptAssertion', 'samlAllowIdpInitiated'] as const

export const samlNames = [...settings, 'options', ...toldFields] as const

type Name = (typeof samlNames)[number]

/** Of an application, what its page about SAML shows. */
export function samlFieldsOf(application: Application) {
  const { samlAttributeMapping = {} } = application
  return {
    ...Object.fromEntries(settings.map((name) => [name, application[name]])),
    ...Object.fromEntries(options.map((name) => [name, application[name]])),
    samlAttributeMapping,
  }
}

/** Under which name a field is told; several with commas between. */
export function nameOf(field: Told, mapping: Record<string, string>): string {
  return Object.keys(mapping)
    .filter((name) => mapping[name] === field)
    .join(', ')
}

const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

export function wrongSaml(values: Values<Name>): Errors<Name> {
  const certificate = values.samlSpCertificate.trim()
  const seen = new Set<string>()
  const twice = toldFields.filter((field) => {
    const names = namesIn(values[field])
    const known = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return known
  })
  return {
    ...wrongServiceProvider(values),
    ...Object.fromEntries(
      sloUrls.filter((name) => values[name].trim() && !isAddress(values[name])).map((name) => [name, words.urlWrong]),
    ),
    ...(certificate &&
      !certificate.includes('-----BEGIN CERTIFICATE-----') && { samlSpCertificate: words.certificateWrong }),
    ...Object.fromEntries(twice.map((field) => [field, words.attributeTwice])),
  }
}

/** Only what was changed. A mapping to what this page does not know stays. */
export function samlChanges(application: Application, values: Values<Name>): ApplicationChanges {
  const { samlAttributeMapping: before = {} } = application
  const others = Object.entries(before).filter(([, field]) => !toldFields.some((known) => known === field))
  const told = toldFields.flatMap((field) => namesIn(values[field]).map((name) => [name, field] as const))
  const chosen = filledRows(values.options)
  const now: Record<string, unknown> = {
    ...Object.fromEntries(settings.map((name) => [name, values[name].trim() || undefined])),
    ...Object.fromEntries(options.map((name) => [name, chosen.includes(name)])),
    samlAttributeMapping: Object.fromEntries([...others, ...told]),
  }
  const known: Record<string, unknown> = samlFieldsOf(application)
  const written = (value: unknown) => (typeof value === 'string' ? value.trim() : sorted(value))
  return Object.fromEntries(
    Object.entries(now)
      .filter(([name, value]) => JSON.stringify(written(value)) !== JSON.stringify(written(known[name])))
      .map(([name, value]) => [name, value ?? null]),
  )
}

/** The order of a mapping says nothing. */
const sorted = (value: unknown) =>
  value !== null && typeof value === 'object' ? Object.entries(value).sort(([a], [b]) => a.localeCompare(b)) : value
