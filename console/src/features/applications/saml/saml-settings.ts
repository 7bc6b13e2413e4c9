import { boolean, check, object, pipe, rawCheck, string } from 'valibot'
import type { Application, ApplicationChanges } from '../../../api/contract'
import m from '../../../messages/en/saml.json'
import { isUrl, serviceProviderEntries } from './service-provider'

/** The attributes that can be sent to an application, as the service names them. */
export const SENT_FIELDS = [
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

export type SentField = (typeof SENT_FIELDS)[number]

const format = (version: string, name: string) => `urn:oasis:names:tc:SAML:${version}:nameid-format:${name}`

export const nameIdFormats = {
  email: format('1.1', 'emailAddress'),
  persistent: format('2.0', 'persistent'),
  transient: format('2.0', 'transient'),
  unspecified: format('1.1', 'unspecified'),
} as const

/** Returns the name of a NameID format, or the URN of an unknown one. */
export function nameOfFormat(urn: string): string {
  const known = Object.entries(nameIdFormats).find(([, value]) => value === urn)
  return known ? m.nameIdName({ format: known[0] }) : urn
}

const sloUrl = pipe(
  string(),
  check((text) => !text.trim() || isUrl(text), m.urlWrong()),
)

const SETTINGS = [
  'samlSpEntityId',
  'samlSpAcsUrl',
  'samlNameIdFormat',
  'samlSpSloUrl',
  'samlSpSloPostUrl',
  'samlSpCertificate',
] as const
const OPTIONS = ['samlEncryptAssertion', 'samlAllowIdpInitiated'] as const

/** The form field with the attribute names of a field. */
export const attributeKey = (field: SentField) => `attribute_${field}` as const

const perField = <T>(create: (field: SentField) => T) =>
  Object.fromEntries(SENT_FIELDS.map((field) => [attributeKey(field), create(field)])) as Record<
    ReturnType<typeof attributeKey>,
    T
  >

/** The values of the form. Several names of one attribute are separated by commas. */
export function samlValuesOf(application: Application) {
  const { samlAttributeMapping: mapping = {} } = application
  return {
    samlSpEntityId: application.samlSpEntityId ?? '',
    samlSpAcsUrl: application.samlSpAcsUrl ?? '',
    samlNameIdFormat: application.samlNameIdFormat ?? nameIdFormats.email,
    samlSpSloUrl: application.samlSpSloUrl ?? '',
    samlSpSloPostUrl: application.samlSpSloPostUrl ?? '',
    samlSpCertificate: application.samlSpCertificate ?? '',
    samlEncryptAssertion: application.samlEncryptAssertion,
    samlAllowIdpInitiated: application.samlAllowIdpInitiated,
    ...perField((field) =>
      Object.keys(mapping)
        .filter((name) => mapping[name] === field)
        .join(', '),
    ),
  }
}

export type SamlValues = ReturnType<typeof samlValuesOf>

const namesIn = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** Returns the fields with an attribute name that an earlier field has, too. */
function repeatedNames(values: SamlValues): SentField[] {
  const seen = new Set<string>()
  return SENT_FIELDS.filter((field) => {
    const names = namesIn(values[attributeKey(field)])
    const isRepeated = names.some((name) => seen.has(name))
    for (const name of names) seen.add(name)
    return isRepeated
  })
}

export const samlSchema = pipe(
  object({
    ...serviceProviderEntries(),
    samlNameIdFormat: string(),
    samlSpSloUrl: sloUrl,
    samlSpSloPostUrl: sloUrl,
    samlSpCertificate: pipe(
      string(),
      check((text) => !text.trim() || text.includes('-----BEGIN CERTIFICATE-----'), m.certificateWrong()),
    ),
    samlEncryptAssertion: boolean(),
    samlAllowIdpInitiated: boolean(),
    ...perField(() => string()),
  }),
  rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const field of repeatedNames(dataset.value)) {
      const key = attributeKey(field)
      const value = dataset.value[key]
      addIssue({
        message: m.attributeTwice(),
        path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }],
      })
    }
  }),
)

/** Returns only changed settings. Mappings of fields that the form does not have are kept. */
export function samlChanges(application: Application, values: SamlValues): ApplicationChanges {
  const { samlAttributeMapping: before = {} } = application
  const others = Object.entries(before).filter(([, field]) => !SENT_FIELDS.some((known) => known === field))
  const mapped = SENT_FIELDS.flatMap((field) =>
    namesIn(values[attributeKey(field)]).map((name) => [name, field] as const),
  )
  const now: Record<string, unknown> = {
    ...Object.fromEntries(SETTINGS.map((name) => [name, values[name].trim() || null])),
    ...Object.fromEntries(OPTIONS.map((name) => [name, values[name]])),
    samlAttributeMapping: Object.fromEntries([...others, ...mapped]),
  }
  const stored: Record<string, unknown> = {
    ...application,
    samlAttributeMapping: before,
    // The format that applies without one, so that saving the form does not store it.
    samlNameIdFormat: application.samlNameIdFormat ?? nameIdFormats.email,
  }
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => comparable(value) !== comparable(stored[name])),
  )
}

/** Ignores white space around strings, the order of a mapping, and the difference between null and undefined. */
const comparable = (value: unknown): string =>
  JSON.stringify(
    typeof value === 'string'
      ? value.trim()
      : value !== null && typeof value === 'object'
        ? Object.entries(value).sort(([a], [b]) => a.localeCompare(b))
        : (value ?? null),
  )
