import Type from 'typebox'
import { nullable, timestamp } from '../../platform/http/schema-parts.js'
import { authenticatorName } from '../../protocols/webauthn/index.js'
import { DisplayName } from '../settings/index.js'
import type { ListedFactor } from './factor-repository.js'
import type { readStatus } from './manage-factors.js'

const Base64Url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })

export const FactorName = DisplayName

/** A code as typed by the user: spaces, hyphens and full-width digits are normalized. */
export const TypedCodeString = (description: string) => Type.String({ minLength: 1, maxLength: 64, description })

const Credential = <T extends Type.TSchema>(response: T) =>
  Type.Object({ id: Base64Url(2_048), rawId: Base64Url(2_048), type: Type.Literal('public-key'), response })

/** RegistrationResponseJSON (WebAuthn Level 3, section 5.1); other fields are ignored. */
export const RegistrationCredential = Credential(
  Type.Object({
    clientDataJSON: Base64Url(16_384),
    attestationObject: Base64Url(40_960),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
  }),
)

/** AuthenticationResponseJSON (WebAuthn Level 3, section 5.1). */
export const AssertionCredential = Credential(
  Type.Object({
    clientDataJSON: Base64Url(16_384),
    authenticatorData: Base64Url(16_384),
    signature: Base64Url(4_096),
    userHandle: Type.Optional(nullable(Type.String({ maxLength: 128 }))),
  }),
)

const Known = Type.Array(
  Type.Object({
    id: Type.String(),
    type: Type.Literal('public-key'),
    transports: Type.Optional(Type.Array(Type.String())),
  }),
)

export const PasskeyCreation = Type.Object(
  {
    challenge: Type.String({ description: 'base64url; works once, for five minutes' }),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer({ description: 'Milliseconds' }),
    attestation: Type.String(),
    authenticatorSelection: Type.Object({
      residentKey: Type.String(),
      requireResidentKey: Type.Boolean(),
      userVerification: Type.String(),
    }),
    excludeCredentials: Known,
  },
  { $id: 'PasskeyCreationOptions' },
)

export const PasskeyRequest = Type.Object(
  {
    challenge: Type.String({ description: 'base64url; works once, for five minutes' }),
    rpId: Type.String(),
    timeout: Type.Integer({ description: 'Milliseconds' }),
    userVerification: Type.String(),
    allowCredentials: Known,
  },
  { $id: 'PasskeyRequestOptions' },
)

export const MfaMethod = Type.Object(
  {
    id: Type.String(),
    type: Type.Unsafe<'TOTP' | 'PASSKEY' | 'BACKUP_CODE'>({ type: 'string', enum: ['TOTP', 'PASSKEY', 'BACKUP_CODE'] }),
    name: Type.String(),
    verified: Type.Boolean({ description: 'False while the enrollment is pending' }),
    enabled: Type.Boolean(),
    createdAt: timestamp(),
    lastUsedAt: nullable(timestamp()),
    aaguid: Type.Optional(Type.String({ description: 'Passkeys: the model of the authenticator' })),
    provider: Type.Optional(nullable(Type.String({ description: 'Passkeys: the common name of the authenticator' }))),
    backedUp: Type.Optional(Type.Boolean({ description: 'Passkeys: synchronized to other devices of the owner' })),
    signsIn: Type.Optional(
      Type.Boolean({ description: 'Passkeys: can sign in alone; otherwise a second factor only' }),
    ),
    credentialId: Type.Optional(Type.String({ description: 'Passkeys: the credential ID, base64url' })),
  },
  { $id: 'MfaMethod' },
)

export const Status = Type.Object({
  enabled: Type.Boolean(),
  adaptive: Type.Boolean({ description: 'A factor is required only at unusual sign-ins' }),
  backupCodesLeft: Type.Integer(),
  methods: Type.Array(MfaMethod),
})

export const presentFactor = ({
  factor: { id, type, name, verifiedAt, createdAt, lastUsedAt },
  passkey,
}: ListedFactor) => ({
  id,
  type,
  name,
  verified: verifiedAt !== null,
  enabled: verifiedAt !== null,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  ...(passkey && {
    aaguid: passkey.aaguid,
    provider: authenticatorName(passkey.aaguid),
    backedUp: passkey.backedUp,
    signsIn: passkey.signsIn,
    credentialId: passkey.credentialId.toString('base64url'),
  }),
})

export const presentStatus = ({ factors, ...status }: Awaited<ReturnType<typeof readStatus>>) => ({
  ...status,
  methods: factors.map(presentFactor),
})

export const Codes = Type.Array(Type.String(), {
  description: 'Ten codes of eight characters, each valid once; returned only here',
})
export const Success = Type.Object({ success: Type.Literal(true) })
