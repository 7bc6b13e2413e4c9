import { hash } from 'node:crypto'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Runner } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'

const insertProof = namedQuery<{ hash: Buffer }, [Buffer, Date]>(
  'oidc_provider.insert_proof',
  'INSERT INTO used_proofs (hash, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING hash',
)
const findProof = namedQuery<{ hash: Buffer }, [Buffer]>(
  'oidc_provider.find_proof',
  'SELECT hash FROM used_proofs WHERE hash = $1',
)

/**
 * Notes that a proof was used.
 * @param until when it proves nothing any more
 * @returns whether this is its first use: of many at once exactly one
 */
export async function useProof(runner: Runner, id: string, until: Date): Promise<boolean> {
  const [first] = await runner.run(insertProof, [tokenHash(id), until])
  return first !== undefined
}

export async function isProofUsed(runner: Runner, id: string): Promise<boolean> {
  const [used] = await runner.run(findProof, [tokenHash(id)])
  return used !== undefined
}

/** Which proof it is, as the engine says it of those that it is shown: what was used at one of its endpoints is used at ours. */
export const proofId = (issuer: string, jti: string): string => hash('sha256', `${issuer}${jti}`, 'base64url')
