import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { type Clock, HOUR } from '../../../platform/clock.js'
import { createSharedWork } from '../../../platform/concurrency/shared-work.js'
import type { Envelope } from '../../../platform/crypto/envelope.js'
import { randomKey, uuidv7 } from '../../../platform/crypto/random.js'
import type { KeyPair, RsaKeyPairs } from '../../../platform/crypto/rsa-key-pair.js'
import type { Database, Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import { type RequestOrigin, withoutLocation } from '../../../platform/http/actor.js'
import type { SigningKeyId, TeamId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import type { Audit } from '../../audit/index.js'
import { organizations } from '../../teams/index.js'
import { signingKeySets, signingKeys } from '../tables.js'
import { type Algorithm, generatePair, publicJwkOf } from './key-algorithms.js'
import type { StoredKey } from './key-repository.js'
import type { PublicJwk, SigningKey } from './signing-key.js'

type KeyRow = Omit<StoredKey, 'organizationId' | 'createdAt'> & { version: number }

const keysOfTeam = namedQuery<KeyRow, [TeamId]>(
  'oidc_config.keys_of_team',
  `SELECT k.id, k.application_id AS "applicationId", k.kid, k.algorithm, k.public_jwk AS "publicJwk", k.sealed_private_key AS "sealedPrivateKey", k.is_default AS "isDefault",
     k.use_for_access_tokens AS "useForAccessTokens", k.retired_at AS "retiredAt", k.published_until AS "publishedUntil", k.certificate_chain AS "certificateChain", s.version
   FROM signing_key_sets s JOIN signing_keys k ON k.organization_id = s.organization_id WHERE s.organization_id = $1 ORDER BY k.created_at DESC, k.id`,
)

export interface SigningKeyStore {
  /**
   * Returns the keys of a team: from the cache if it has `version`, which the caller read in its transaction, otherwise from the database,
   * where they can be newer than `version`.
   */
  at(runner: Runner, teamId: TeamId, version: number): Promise<SigningKey[]>
  /**
   * Generates the team's first key if it has none: concurrent callers on a node share one generation. Opens its own transactions, so do not call
   * it inside one.
   */
  ensure(teamId: TeamId, origin: RequestOrigin): Promise<void>
  /**
   * Generates a key pair for the request of an administrator, within the team's limit. Do not call it inside a transaction, because it is slow.
   * @throws rate_limited
   */
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

type GivenFields = Pick<StoredKey, 'organizationId' | 'algorithm'> &
  Partial<Pick<StoredKey, 'applicationId' | 'isDefault' | 'useForAccessTokens' | 'certificateChain'>>

/**
 * Returns the row of a new key with its encrypted private key (PKCS #8).
 * @param kid default: a random ID
 */
export function newSigningKey(
  { clock, envelope }: Pick<KeyStoreDeps, 'clock' | 'envelope'>,
  { publicKey, privateKey }: KeyPair,
  given: GivenFields,
  kid = randomKey(12).toString('base64url'),
): StoredKey {
  const id = uuidv7<SigningKeyId>(clock)
  return {
    id,
    kid,
    applicationId: null,
    isDefault: false,
    useForAccessTokens: false,
    certificateChain: null,
    ...given,
    publicJwk: publicJwkOf(publicKey, kid, given.algorithm),
    sealedPrivateKey: envelope.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), contextOf(id)),
    createdAt: clock.now(),
    retiredAt: null,
    publishedUntil: null,
  }
}

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

  const decrypted = ({ id, publicJwk, sealedPrivateKey, retiredAt, certificateChain, ...row }: KeyRow): SigningKey => ({
    ...row,
    retired: retiredAt !== null,
    publicJwk: { ...publicJwk, ...certified(certificateChain) },
    publicKey: createPublicKey({ key: publicJwk, format: 'jwk' }),
    privateKey: createPrivateKey({ key: envelope.open(sealedPrivateKey, contextOf(id)), format: 'der', type: 'pkcs8' }),
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
    const keyPair = await rsaKeyPairs.generate(teamId)
    const given = { organizationId: teamId, algorithm: 'RS256', isDefault: true }
    const key = newSigningKey({ clock, envelope }, keyPair, given)
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
      await tx.insert(signingKeys).values(key)
      // The visitor who caused it has not acted on the team.
      await audit.record(tx, { userId: null, teamId, origin: withoutLocation(origin) }, 'signing_key.created', {
        resource: `signing-key:${key.id}`,
        metadata: { kid: key.kid, algorithm: key.algorithm },
      })
    })
  }

  return {
    async at(runner, teamId, version) {
      const known = cache.get(teamId)
      if (known?.version === version) return known.keys
      const rows = await runner.run(keysOfTeam, [teamId])
      const keys = rows.map(decrypted)
      // The rows may be newer than the requested version, so cache them with their own version.
      if (rows[0]) cache.set(teamId, { version: rows[0].version, keys })
      else cache.delete(teamId)
      return keys
    },
    generate: (teamId, algorithm) => generatePair(algorithm, () => rsaKeyPairs.generateOnRequest(teamId)),
    ensure: (teamId, origin) => shared(teamId, () => ensure(teamId, origin)),
  }
}

/** Deletes retired keys whose last token has expired. */
export const purgeSigningKeys = ({ db, clock }: Pick<KeyStoreDeps, 'db' | 'clock'>): JobKind => ({
  kind: 'oidc_config.purge_keys',
  every: HOUR,
  delaysFirstRun: true,
  run: () =>
    db.transaction(async (tx) => {
      // Lock the sets first, in the same order as every change of keys.
      await tx.execute(
        sql`UPDATE ${signingKeySets} SET version = version + 1 WHERE organization_id IN
          (SELECT k.organization_id FROM ${signingKeys} k WHERE k.published_until <= ${clock.now().toISOString()})`,
      )
      await tx.execute(sql`DELETE FROM ${signingKeys} WHERE published_until <= ${clock.now().toISOString()}`)
    }),
})
