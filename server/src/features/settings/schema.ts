import Type from 'typebox'
import { anyObject } from '../../platform/http/any-object.js'
import { isSingleLine, SINGLE_LINE } from '../../platform/single-line.js'
import { DOMAIN_PATTERN } from './email-domain.js'
import type { InstanceSettings } from './repository.js'

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const HexColor = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Hex colour, #RRGGBB' })
/** An address that a page may show as a picture. */
export const ImageUrl = Type.String({ maxLength: 2_000, pattern: '^https?://[^\\s"\'<>\\\\]+$' })
export const DomainName = Type.String({ pattern: DOMAIN_PATTERN })
const LONGEST_NAME = 100

/** The days after which sessions may be made to end. */
export const SessionDays = { minimum: 1, maximum: 365 } as const

/** One line of text, not all of it blank. */
export const DisplayName = Type.String({ maxLength: LONGEST_NAME, pattern: SINGLE_LINE })

/** The same of a text that no schema has judged. */
export const isDisplayName = (text: string): boolean => [...text].length <= LONGEST_NAME && isSingleLine(text)

export const Settings = Type.Object(
  {
    id: Type.Literal('singleton'),
    name: Type.String(),
    logoUrl: nullable(Type.String()),
    primaryColor: Type.String(),
    allowedDomains: Type.Array(Type.String(), { description: 'E-mail domains that may sign up; empty = all' }),
    mfaRequired: Type.Boolean(),
    mfaGracePeriodDays: Type.Integer(),
    sessionMaxLifetimeDays: Type.Integer({
      description: 'Days after the sign-in at which a session ends at the latest',
    }),
    customLoginConfig: nullable(anyObject()),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'InstanceSettings' },
)

const branding = {
  name: Type.Optional(DisplayName),
  logoUrl: Type.Optional(nullable(ImageUrl)),
  primaryColor: Type.Optional(HexColor),
}

export const PutSettings = Type.Object({
  ...branding,
  customLoginConfig: Type.Optional(nullable(anyObject({ maxProperties: 50 }))),
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
        "Days after the sign-in at which a session ends at the latest. What a user allowed an application ends then too, or after the application's refreshTokenLifetime where that is longer",
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
