import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.js'
import { createSharedWork } from '../../../platform/concurrency/shared-work.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { KeyPair, RsaKeyPairs } from '../../../platform/crypto/rsa-key-pair.js'
import type { Database, Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import type { ApplicationId, SigningKeyId, TeamId } from '../../../platform/ids.js'
import type { Audit } from '../../audit/index.js'
import { organizations } from '../../teams/index.js'
import { signingKeySets, signingKeys } from '../tables.js'
import { type Algorithm, generatePair, publicJwkOf } from './key-algorithms.js'
import type { PublicJwk, SigningKey } from './signing-key.js'

interface KeyRow {
  id: SigningKeyId
  application_id: ApplicationId | null
  kid: string
  algorithm: string
  public_jwk: PublicJwk
  sealed_private_key: string
  is_default: boolean
  use_for_access_tokens: boolean
  retired_at: Date | null
  published_until: Date | null
  certificate_chain: string[] | null
  version: number
}

const keysOfTeam = namedQuery<KeyRow, [TeamId]>(
  'oidc_config.keys_of_team',
  `SELECT k.id, k.application_id, k.kid, k.algorithm, k.public_jwk, k.sealed_private_key, k.is_default, k.use_for_access_tokens, k.retired_at, k.published_until, k.certificate_chain, s.version
   FROM signing_key_sets s JOIN signing_keys k ON k.organization_id = s.organization_id WHERE s.organization_id = $1 ORDER BY k.created_at DESC, k.id`,
)

export interface SigningKeyStore {
  /**
   * Returns the keys of a team at a version that the caller read in its own first query: from the cache if it has that version,
   * otherwise from the database.
   */
  at(runner: Runner, teamId: TeamId, version: number): Promise<SigningKey[]>
  /** Generates the team's first key if it has none: concurrent callers wait for the same one. Opens a transaction. */
  ensure(teamId: TeamId, origin: RequestOrigin): Promise<void>
  /** Generates a key pair that a caller requested for the team. Not inside a transaction. @throws rate_limited */
  generate(teamId: TeamId, algorithm: Algorithm): Promise<KeyPair>
}

interface KeyStoreDeps {
  db: Database
  clock: Clock
  audit: Audit
  envelope: Envelope
  rsaKeyPairs: RsaKeyPairs
}

/** Teams whose keys a node caches. */
const MAX_CACHED_TEAMS = 1_000

export const contextOf = (id: SigningKeyId) => `signing-key:${id}`

/** Encrypts a private key (PKCS #8) for the row with this ID. */
export const sealPrivateKey = (envelope: Envelope, id: SigningKeyId, privateKey: KeyObject): string =>
  envelope.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(id))

/** Returns the JWK members for the certificates of a key (RFC 7517 4.7, 4.9). */
const certified = (chain: string[] | null): PublicJwk => {
  const [own] = chain ?? []
  if (!chain || own === undefined) return {}
  const thumbprint = createHash('sha256').update(Buffer.from(own, 'base64')).digest('base64url')
  return { x5c: chain, 'x5t#S256': thumbprint }
}

export function createSigningKeyStore({ db, clock, audit, envelope, rsaKeyPairs }: KeyStoreDeps): SigningKeyStore {
  const cache = new LRUCache<TeamId, { version: number; keys: SigningKey[] }>({ max: MAX_CACHED_TEAMS })
  const shared = createSharedWork<TeamId>()

  const opened = (row: KeyRow): SigningKey => ({
    kid: row.kid,
    algorithm: row.algorithm,
    applicationId: row.application_id,
    isDefault: row.is_default,
    useForAccessTokens: row.use_for_access_tokens,
    retired: row.retired_at !== null,
    publishedUntil: row.published_until,
    publicJwk: { ...row.public_jwk, ...certified(row.certificate_chain) },
    publicKey: createPublicKey({ key: row.public_jwk, format: 'jwk' }),
    privateKey: createPrivateKey({
      key: envelope.open(row.sealed_private_key, contextOf(row.id)),
      format: 'der',
      type: 'pkcs8',
    }),
  })

  const hasKeys = async (teamId: TeamId): Promise<boolean> => {
    const set = db.transaction((tx) =>
      tx
        .select({ version: signingKeySets.version })
        .from(signingKeySets)
        .where(eq(signingKeySets.organizationId, teamId)),
    )
    return (await set).length > 0
  }

  async function ensure(teamId: TeamId, origin: RequestOrigin): Promise<void> {
    if (await hasKeys(teamId)) return
    const { publicKey, privateKey } = await rsaKeyPairs.generate(teamId)
    const id = uuidv7<SigningKeyId>(clock)
    const kid = randomKey(12).toString('base64url')
    await db.transaction(async (tx) => {
      // The team may have been deleted in the meantime.
      const [team] = await tx
        .select({ id: organizations.id })
        .from(organizations)
        .where(eq(organizations.id, teamId))
        .for('key share')
      if (!team) return
      const [first] = await tx
        .insert(signingKeySets)
        .values({ organizationId: teamId, version: 1 })
        .onConflictDoNothing()
        .returning({ version: signingKeySets.version })
      if (!first) return
      await tx.insert(signingKeys).values({
        id,
        organizationId: teamId,
        applicationId: null,
        kid,
        algorithm: 'RS256',
        publicJwk: publicJwkOf(publicKey, kid, 'RS256'),
        sealedPrivateKey: sealPrivateKey(envelope, id, privateKey),
        isDefault: true,
        useForAccessTokens: false,
        createdAt: clock.now(),
      })
      await audit.record(tx, { userId: null, teamId, origin }, 'signing_key.created', {
        resource: `signing-key:${id}`,
        metadata: { kid, algorithm: 'RS256' },
      })
    })
  }

  return {
    async at(runner, teamId, version) {
      const known = cache.get(teamId)
      if (known?.version === version) return known.keys
      const rows = await runner.run(keysOfTeam, [teamId])
      const keys = rows.map(opened)
      // The rows may be newer than the requested version, so cache them with their own version.
      if (rows[0]) cache.set(teamId, { version: rows[0].version, keys })
      else cache.delete(teamId)
      return keys
    },
    generate: (teamId, algorithm) => generatePair(algorithm, () => rsaKeyPairs.generateOnRequest(teamId)),
    ensure: (teamId, origin) => shared(teamId, () => ensure(teamId, origin)),
  }
}
