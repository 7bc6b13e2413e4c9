import {
  createHash,
  generateKeyPairSync,
  type KeyObject,
  type KeyPairKeyObjectResult,
  randomBytes,
  sign,
} from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { type Cbor, encodeCbor } from './encode-cbor.js'

export interface AuthenticatorOptions {
  /** The origin of the page; default: the public URL of a test's service. */
  origin?: string
  /** Whether it verifies the user by fingerprint or PIN and sets the UV flag. Default true. */
  userVerification?: boolean
  /** The model (AAGUID), as a UUID; default: zeros, which mean none. */
  aaguid?: string
  /** Whether its keys are synchronized to other devices (the flags BE and BS). Default false. */
  backedUp?: boolean
  /** Whether the signature counter increases or is always zero, as with synchronized passkeys. Default: it increases. */
  counter?: 'grows' | 'zero'
}

/** Changes that a real browser or authenticator would not make. The rest of the response, signature included, is consistent with them. */
export interface Tamper {
  origin?: string
  /** The RP ID whose hash the response contains. */
  rpId?: string
  type?: string
  /** Base64url, as it is sent. */
  challenge?: string
  userHandle?: string
  id?: string
  rawId?: string
  userPresent?: boolean
  userVerified?: boolean
  counter?: number
  /** The BE and BS flags. */
  backedUp?: boolean
  /** Whether the page is embedded in a page of another origin. */
  crossOrigin?: boolean
  /** At a registration: the credential ID. */
  credentialId?: Buffer
  /** At a registration: the COSE algorithm of the key. */
  algorithm?: number
  /** At a registration: the key pair of the new credential, P-256 or RSA. */
  keys?: KeyPairKeyObjectResult
  /** At a registration: the key and certificate (DER) of an attestation statement in the format `packed`. */
  attestedBy?: { privateKey: KeyObject; certificate: Buffer }
  /** At a registration: the attestation format, with an empty statement. */
  format?: string
  /** A signature of another key over the same bytes, or these bytes. */
  signature?: 'of another key' | Buffer
}

interface Credential {
  id: string
  rpId: string
  userHandle: string
  publicKey: KeyObject
  privateKey: KeyObject
  uses: number
}

export interface Authenticator {
  /**
   * Works like `navigator.credentials.create()`: creates a discoverable ES256 credential with attestation `none`.
   * @throws Error where a browser fails: for an excluded credential, the `rp.id` of another site, or algorithms without ES256
   */
  create(options: PublicKeyCredentialCreationOptionsJSON, tamper?: Tamper): RegistrationResponseJSON
  /**
   * Works like `navigator.credentials.get()`: uses the allowed credential or, if none is named, the newest one.
   * @throws Error where a browser fails: for the `rpId` of another site, or without such a credential
   */
  get(options: PublicKeyCredentialRequestOptionsJSON, tamper?: Tamper): AuthenticationResponseJSON
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** COSE: ECDSA with SHA-256 (RFC 9053 2.1). */
const ES256 = -7

const RS256 = -257

/** Encodes a P-256 key (RFC 9052 7, RFC 9053 7.1.1) or an RSA key (RFC 8230 4) as a COSE key. */
export function coseKey(key: KeyObject, algorithm = ES256): Buffer {
  const { x = '', y = '', n, e = '' } = key.export({ format: 'jwk' })
  if (n)
    return encodeCbor(
      new Map<number, Cbor>([
        [1, 3],
        [3, RS256],
        [-1, Buffer.from(n, 'base64url')],
        [-2, Buffer.from(e, 'base64url')],
      ]),
    )
  return encodeCbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

/**
 * A software authenticator with its browser (WebAuthn Level 3). The service must verify its responses: if user verification is required
 * and unavailable, it responds without it.
 */
export function createAuthenticator({
  origin = 'http://localhost:3000',
  userVerification = true,
  aaguid = '00000000-0000-0000-0000-000000000000',
  backedUp = false,
  counter = 'grows',
}: AuthenticatorOptions = {}): Authenticator {
  const credentials: Credential[] = []

  function requireOwnSite(rpId: string): void {
    const { hostname } = new URL(origin)
    if (hostname !== rpId && !hostname.endsWith(`.${rpId}`)) throw new Error(`${rpId} is not the site of ${origin}`)
  }

  const clientData = (type: string, challenge: string, tamper: Tamper): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: tamper.type ?? type,
        challenge: tamper.challenge ?? challenge,
        origin: tamper.origin ?? origin,
        crossOrigin: tamper.crossOrigin ?? false,
      }),
    )

  /** Encodes authenticator data (WebAuthn 6.1). @param attested the credential data of a registration */
  function authenticatorData(credential: Credential, tamper: Tamper, attested?: Buffer): Buffer {
    if (counter === 'grows') credential.uses++
    const head = Buffer.alloc(5)
    head[0] =
      ((tamper.userPresent ?? true) ? 0x01 : 0) |
      ((tamper.userVerified ?? userVerification) ? 0x04 : 0) |
      ((tamper.backedUp ?? backedUp) ? 0x18 : 0) |
      (attested ? 0x40 : 0)
    head.writeUInt32BE(tamper.counter ?? credential.uses, 1)
    return Buffer.concat([sha256(tamper.rpId ?? credential.rpId), head, attested ?? Buffer.alloc(0)])
  }

  /** Encodes attested credential data (WebAuthn 6.5.1). */
  function attestedCredentialData({ id, publicKey }: Credential, { algorithm }: Tamper): Buffer {
    const idBytes = Buffer.from(id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(idBytes.length)
    return Buffer.concat([
      Buffer.from(aaguid.replaceAll('-', ''), 'hex'),
      length,
      idBytes,
      coseKey(publicKey, algorithm),
    ])
  }

  const envelope = ({ id }: Credential, tamper: Tamper) => ({
    id: tamper.id ?? id,
    rawId: tamper.rawId ?? id,
    type: 'public-key' as const,
    authenticatorAttachment: 'platform' as const,
    clientExtensionResults: {},
  })

  return {
    create({ rp, user, challenge, pubKeyCredParams, excludeCredentials = [], extensions }, tamper = {}) {
      const rpId = rp.id ?? new URL(origin).hostname
      requireOwnSite(rpId)
      if (!pubKeyCredParams.some(({ alg }) => alg === ES256)) throw new Error('ES256 is not among the algorithms')
      if (credentials.some((known) => excludeCredentials.some(({ id }) => id === known.id)))
        throw new Error('The authenticator already has a credential of this user')

      const id = base64url(tamper.credentialId ?? randomBytes(32))
      const credential = { id, rpId, userHandle: user.id, uses: 0, ...(tamper.keys ?? newKeys()) }
      // An authenticator stores one discoverable credential for each account. A new one replaces it.
      const former = credentials.findIndex((known) => known.rpId === rpId && known.userHandle === user.id)
      if (former >= 0) credentials.splice(former, 1)
      credentials.push(credential)

      const authData = authenticatorData(credential, tamper, attestedCredentialData(credential, tamper))
      const data = clientData('webauthn.create', challenge, tamper)
      const { attestedBy } = tamper
      const statement: [string, Cbor][] = attestedBy
        ? [
            ['alg', RS256],
            ['sig', sign('sha256', Buffer.concat([authData, sha256(data)]), attestedBy.privateKey)],
            ['x5c', [attestedBy.certificate]],
          ]
        : []
      const attestation = new Map<string, Cbor>([
        ['fmt', tamper.format ?? (attestedBy ? 'packed' : 'none')],
        ['attStmt', new Map(statement)],
        ['authData', authData],
      ])
      return {
        ...envelope(credential, tamper),
        ...(extensions?.credProps && { clientExtensionResults: { credProps: { rk: true } } }),
        response: {
          clientDataJSON: base64url(data),
          attestationObject: base64url(encodeCbor(attestation)),
          authenticatorData: base64url(authData),
          publicKey: base64url(credential.publicKey.export({ type: 'spki', format: 'der' })),
          publicKeyAlgorithm: ES256,
          transports: ['internal', 'hybrid'],
        },
      }
    },

    get({ rpId = new URL(origin).hostname, challenge, allowCredentials = [] }, tamper = {}) {
      requireOwnSite(rpId)
      const credential = credentials.findLast(
        (known) =>
          known.rpId === rpId && (allowCredentials.length === 0 || allowCredentials.some(({ id }) => id === known.id)),
      )
      if (!credential) throw new Error(`The authenticator has no such credential for ${rpId}`)

      const authData = authenticatorData(credential, tamper)
      const data = clientData('webauthn.get', challenge, tamper)
      const signed = (key: KeyObject) => sign('sha256', Buffer.concat([authData, sha256(data)]), key)
      const { signature } = tamper
      const foreign = signature === 'of another key' ? signed(newKeys().privateKey) : signature
      return {
        ...envelope(credential, tamper),
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(foreign ?? signed(credential.privateKey)),
          userHandle: tamper.userHandle ?? credential.userHandle,
        },
      }
    },
  }
}
