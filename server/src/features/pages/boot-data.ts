import { sep } from 'node:path'
import Type from 'typebox'
import type { Clock } from '../../platform/clock.js'
import type { Config } from '../../platform/config/config.js'
import type { Database, Transaction } from '../../platform/db/database.js'
import type { HttpExchange } from '../../platform/http/http-exchange.js'
import { anyObject, nullable } from '../../platform/http/schema-parts.js'
import { describeRequest } from '../oidc-provider/index.js'
import { isOutboxReadable } from '../outbox/index.js'
import { DEFAULT_PASSWORD_POLICY, PasswordRules } from '../password-policy/index.js'
import { describeSamlRequest } from '../saml-provider/index.js'
import { ssoCookie } from '../sessions/index.js'
import { readSettings } from '../settings/index.js'

/** The data that pages need before sign-in. Contains no secrets and nothing about accounts. */
export const Boot = Type.Object(
  {
    instance: Type.Object({
      name: Type.String(),
      logoUrl: nullable(Type.String()),
      primaryColor: Type.String(),
      customLoginConfig: nullable(anyObject()),
    }),
    onboarded: Type.Boolean(),
    setupSecretRequired: Type.Boolean(),
    signUpAllowed: Type.Boolean({ description: 'False if only listed domains can sign up' }),
    methods: Type.Object({ password: Type.Boolean(), magicLink: Type.Boolean(), passkey: Type.Boolean() }),
    frontendUrl: Type.String(),
    baseUrl: Type.String({ description: 'URL of the service, and prefix of its issuers' }),
    mail: Type.Object({
      mode: Type.String({ description: 'smtp or outbox' }),
      readable: Type.Boolean({ description: 'Administrators of the instance can read the mails (`GET /mails`)' }),
      outbox: Type.Optional(Type.String({ description: 'Folder of the mails, on a local instance before its setup' })),
    }),
    passwordPolicy: PasswordRules,
    application: Type.Optional(
      Type.Object(
        { id: Type.String(), name: Type.String(), logoUrl: nullable(Type.String()) },
        { description: 'The application of the sign-in (`uid`, `saml`)' },
      ),
    ),
    team: Type.Optional(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        slug: Type.String(),
        logoUrl: nullable(Type.String()),
        primaryColor: nullable(Type.String()),
      }),
    ),
    loginHint: Type.Optional(Type.String()),
    signInMaxAge: Type.Optional(
      Type.Number({ description: 'Maximum age of the sign-in in seconds; 0 requires a new one' }),
    ),
    hasSession: Type.Boolean({ description: 'The browser sent a session cookie: a refresh is worth a try' }),
  },
  { $id: 'Boot' },
)

export type BootData = Type.Static<typeof Boot>

export interface BootDeps {
  db: Database
  clock: Clock
  config: Config
}

/** @param of the application request that the page serves */
export async function readBootData(
  { db, clock, config }: BootDeps,
  http: Pick<HttpExchange, 'cookie'>,
  of: { uid?: string | undefined; saml?: string | undefined } = {},
): Promise<BootData> {
  const { settings, request } = await db.transaction(async (tx) => ({
    settings: await readSettings(tx),
    request: await requestOf(tx, clock, of),
  }))
  const onboarded = settings.onboardedAt !== null
  return {
    instance: {
      name: settings.name,
      logoUrl: settings.logoUrl,
      primaryColor: settings.primaryColor,
      customLoginConfig: settings.customLoginConfig,
    },
    onboarded,
    setupSecretRequired: !onboarded && config.setupSecret !== undefined,
    signUpAllowed: settings.allowedDomains.length === 0,
    methods: { password: true, magicLink: true, passkey: true },
    frontendUrl: config.frontendUrl,
    baseUrl: config.baseUrl,
    mail: config.smtpUrl
      ? { mode: 'smtp', readable: false }
      : {
          mode: 'outbox',
          readable: isOutboxReadable(config, onboarded),
          ...(config.loopback && !onboarded && { outbox: `${config.dataDir}${sep}outbox` }),
        },
    passwordPolicy: DEFAULT_PASSWORD_POLICY,
    ...(request && {
      application: request.application,
      team: request.team,
      ...(request.loginHint && { loginHint: request.loginHint }),
      ...(request.maxAge !== null && { signInMaxAge: request.maxAge }),
    }),
    hasSession: ssoCookie(http as HttpExchange) !== undefined,
  }
}

const requestOf = (
  tx: Transaction,
  clock: Clock,
  { uid, saml }: { uid?: string | undefined; saml?: string | undefined },
) => (uid ? describeRequest(tx, clock, uid) : saml ? describeSamlRequest(tx, clock, saml) : undefined)
