import Type from 'typebox'
import { anyObject, nullable, timestamp } from '../../platform/http/schema-parts.js'
import { isSingleLine, SINGLE_LINE, SINGLE_LINE_OR_BLANK } from '../../platform/single-line.js'
import { DOMAIN_PATTERN } from './email-domain.js'
import type { InstanceSettings } from './repository.js'

export const HexColor = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Hex color, #RRGGBB' })
/** An http or https URL that can be written into an attribute of a page. */
const WebUrl = Type.String({ maxLength: 2_000, pattern: '^https?://[^\\s"\'<>\\\\]+$' })
/** A URL that pages may show as an image. */
export const ImageUrl = WebUrl
export const DomainName = Type.String({ pattern: DOMAIN_PATTERN })
const MAX_NAME_LENGTH = 100

/** The allowed session lifetimes, in days. */
export const SessionDays = { minimum: 1, maximum: 365 } as const

/** A single line, not blank. */
export const DisplayName = Type.String({ maxLength: MAX_NAME_LENGTH, pattern: SINGLE_LINE })

/** Returns whether a value that no request schema validates (SCIM, LDAP) is a valid display name. */
export const isDisplayName = (value: string): boolean => [...value].length <= MAX_NAME_LENGTH && isSingleLine(value)

export const Settings = Type.Object(
  {
    id: Type.Literal('singleton'),
    name: Type.String(),
    logoUrl: nullable(Type.String()),
    primaryColor: Type.String(),
    allowedDomains: Type.Array(Type.String(), { description: 'Email domains whose users can sign up; empty: all' }),
    mfaRequired: Type.Boolean(),
    mfaGracePeriodDays: Type.Integer(),
    sessionMaxLifetimeDays: Type.Integer({
      description: 'Maximum session lifetime, in days after sign-in',
    }),
    customLoginConfig: nullable(
      anyObject({
        description:
          'Messages and links of the sign-in pages: `headline`, `subtitle`, `helpUrl`, `privacyUrl`, `termsUrl`, `supportEmail`',
      }),
    ),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'InstanceSettings' },
)

const branding = {
  name: Type.Optional(DisplayName),
  logoUrl: Type.Optional(nullable(ImageUrl)),
  primaryColor: Type.Optional(HexColor),
}

const LoginText = Type.Optional(nullable(Type.String({ maxLength: 200, pattern: SINGLE_LINE_OR_BLANK })))
const LoginLink = Type.Optional(nullable(WebUrl))

/** The messages and links that the sign-in pages show. Other properties are stored unchanged for custom frontends. */
const CustomLoginConfig = Type.Object(
  {
    headline: LoginText,
    subtitle: LoginText,
    helpUrl: LoginLink,
    privacyUrl: LoginLink,
    termsUrl: LoginLink,
    // No URL syntax, because pages link to it with `mailto:`.
    supportEmail: Type.Optional(nullable(Type.String({ maxLength: 254, pattern: '^[^\\s@?&,"<>]+@[^\\s@?&,"<>]+$' }))),
  },
  { additionalProperties: true, maxProperties: 50 },
)

export const PutSettings = Type.Object({
  ...branding,
  customLoginConfig: Type.Optional(nullable(CustomLoginConfig)),
})

export const PutConfig = Type.Object({
  ...branding,
  allowedDomains: Type.Optional(Type.Array(DomainName, { maxItems: 1_000 })),
  mfaRequired: Type.Optional(Type.Boolean()),
  mfaGracePeriodDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
  sessionMaxLifetimeDays: Type.Optional(
    Type.Integer({
      ...SessionDays,
      description:
        "Maximum session lifetime, in days after sign-in. Grants to applications expire at the same time, or after the application's refreshTokenLifetime if that is longer",
    }),
  ),
})

export const presentSettings = (settings: InstanceSettings) => ({
  id: settings.id,
  name: settings.name,
  logoUrl: settings.logoUrl,
  primaryColor: settings.primaryColor,
  allowedDomains: settings.allowedDomains,
  mfaRequired: settings.mfaRequired,
  mfaGracePeriodDays: settings.mfaGracePeriodDays,
  sessionMaxLifetimeDays: settings.sessionMaxLifetimeDays,
  customLoginConfig: settings.customLoginConfig,
  createdAt: settings.createdAt.toISOString(),
  updatedAt: settings.updatedAt.toISOString(),
})
