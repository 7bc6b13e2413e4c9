import { createHash, createHmac } from 'node:crypto'

/**
 * The hash chain: h(n) = SHA-256(h(n-1) ‖ SHA-256(canonical entry n)), h(0) = SHA-256("keyward audit " ‖ chain).
 */
export const INSTANCE_CHAIN = '00000000-0000-0000-0000-000000000000'

export interface ChainedEntry {
  id: string
  format: number
  team_id: string | null
  user_id: string | null
  agent_id: string | null
  session_id: string | null
  action: string
  resource: string | null
  result: string
  metadata: Record<string, unknown>
  risk_score: number | null
  country: string | null
  ip_address: string | null
  user_agent: string | null
  key_id: string | null
  sealed_origin: Buffer | null
  subject_key_id: string | null
  sealed_details: Buffer | null
  request_id: string | null
  created_at: Date
}

/** Returns JSON with sorted keys, because the database does not preserve the order of object members. Bytes become base64url. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value instanceof Date) return JSON.stringify(value.toISOString())
  if (Buffer.isBuffer(value)) return JSON.stringify(value.toString('base64url'))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(part)
  return digest.digest()
}

export const chainStart = (chain: string): Buffer => sha256('keyward audit ', chain)

/** The members of an entry that its hash covers, in this order, by the format of the entry. */
export const HASHED_MEMBERS = {
  /** Before personal data was encrypted. */
  1: [
    'id',
    'team_id',
    'user_id',
    'agent_id',
    'action',
    'resource',
    'result',
    'metadata',
    'risk_score',
    'ip_address',
    'user_agent',
    'request_id',
    'created_at',
  ],
  2: [
    'format',
    'id',
    'team_id',
    'user_id',
    'agent_id',
    'session_id',
    'action',
    'resource',
    'result',
    'metadata',
    'risk_score',
    'country',
    'ip_address',
    'user_agent',
    'key_id',
    'sealed_origin',
    'subject_key_id',
    'sealed_details',
    'request_id',
    'created_at',
  ],
} as const satisfies Record<number, readonly (keyof ChainedEntry)[]>

/** The format of new entries. */
export const ENTRY_FORMAT = 2

/** Returns the hashed members of an entry. A format that does not exist is that of a changed entry, whose hash then differs. */
export const hashedMembers = ({ format }: Pick<ChainedEntry, 'format'>): readonly (keyof ChainedEntry)[] =>
  format === 1 ? HASHED_MEMBERS[1] : HASHED_MEMBERS[2]

export const entryDigest = (entry: ChainedEntry): Buffer =>
  sha256(canonical(hashedMembers(entry).map((member) => entry[member])))

/** Returns the hash after an entry, given its digest. */
export const hashAfter = (previous: Buffer, digest: Buffer): Buffer => sha256(previous, digest)

export const nextHash = (previous: Buffer, entry: ChainedEntry): Buffer => hashAfter(previous, entryDigest(entry))

export const sealSignature = (key: Buffer, chain: string, number: number, head: Buffer): Buffer =>
  createHmac('sha256', key).update(`seal ${chain} ${number} `).update(head).digest()

/** The head of a chain at some time: its last seal, the number of sealed entries, and the hash after the last of them. */
export interface ChainHead {
  chain: string
  seal: number
  entries: number
  /** Hexadecimal. */
  head: string
}

export const CHECKPOINTS_START = sha256('keyward audit checkpoints')

/** Computes c(n) = SHA-256(c(n-1) ‖ SHA-256(canonical [n, time, heads by chain])), c(0) = SHA-256("keyward audit checkpoints"). */
export function checkpointHash(previous: Buffer, number: number, createdAt: Date, heads: ChainHead[]): Buffer {
  const named = heads.map(({ chain, seal, entries, head }) => [chain, seal, entries, head] as const)
  named.sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(previous, sha256(canonical([number, createdAt, named])))
}

export const checkpointSignature = (key: Buffer, number: number, hash: Buffer): Buffer =>
  createHmac('sha256', key).update(`checkpoint ${number} `).update(hash).digest()
