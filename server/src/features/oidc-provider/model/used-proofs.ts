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
 * Records the use of a proof.
 * @param until expiry of the proof
 * @returns whether this is its first use: true for exactly one of several concurrent calls
 */
export async function useProof(runner: Runner, id: string, until: Date): Promise<boolean> {
  const [first] = await runner.run(insertProof, [tokenHash(id), until])
  return first !== undefined
}

export async function isProofUsed(runner: Runner, id: string): Promise<boolean> {
  const [used] = await runner.run(findProof, [tokenHash(id)])
  return used !== undefined
}

/**
 * Returns the ID of a proof. The engine computes the same ID, so that a proof that was used at an endpoint of the engine cannot be reused at
 * another endpoint.
 */
export const proofId = (issuer: string, jti: string): string => hash('sha256', `${issuer}${jti}`, 'base64url')
