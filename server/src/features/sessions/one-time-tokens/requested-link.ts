import { type Clock, fromNow } from '../../../platform/clock.js'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { UserId } from '../../../platform/ids.js'
import { linkToken } from '../derive-successor.js'
import { issueOneTimeToken, ONE_TIME_TOKENS, type OneTimeToken, VALID_LINKS } from './one-time-tokens.js'

/** A link that anyone can request for an account, or that its user requests. */
export type RequestedLink = Pick<OneTimeToken, 'userId' | 'email'> & {
  kind: 'magic_link' | 'password_reset' | 'verify_email' | 'change_email'
  data?: Record<string, unknown>
}

interface ValidLink {
  hash: Buffer
  seed: string | null
  key_id: string | null
  created_at: Date
}

const validLinks = namedQuery<
  ValidLink,
  { userId: UserId; kind: string; email: string; data: Record<string, unknown>; now: Date }
>(
  'one_time_tokens.valid_links',
  `SELECT hash, seed, key_id, created_at FROM one_time_tokens
   WHERE user_id = :userId AND kind = :kind AND email = :email AND data = :data::jsonb AND used_at IS NULL AND expires_at > :now
     AND epoch = (SELECT epoch FROM users WHERE id = :userId)
   ORDER BY created_at DESC, expires_at DESC`,
)
const extendLink = namedQuery<never, [Buffer, Date]>(
  'one_time_tokens.extend',
  'UPDATE one_time_tokens SET expires_at = $2 WHERE hash = $1',
)

/**
 * Returns the token to mail for a requested link. Anyone may request one for the account, so a request must not revoke a link that is
 * already in the mailbox: issues a new link while fewer than five are valid, otherwise repeats the newest one with its full lifetime. A link
 * that is older than its lifetime is not repeated. Runs in the caller's transaction, which has locked the account.
 * @param repeatOnly issue a new link only if none is valid, because the hourly mail limit is reached
 */
export async function requestedLink(
  tx: Transaction,
  { clock, keys }: { clock: Clock; keys: KeyRing },
  requested: RequestedLink,
  { repeatOnly }: { repeatOnly: boolean },
): Promise<string> {
  const { kind, userId, email, data = {} } = requested
  const lifetime = ONE_TIME_TOKENS[kind]
  const valid = await tx.run(validLinks, { userId, kind, email, data, now: clock.now() })
  const [newest] = valid
  const repeats = repeatOnly || valid.length >= VALID_LINKS
  if (newest?.seed && newest.key_id && repeats && newest.created_at > fromNow(clock, -lifetime)) {
    const key = await keys.find('link', newest.key_id, tx)
    if (key) {
      await tx.run(extendLink, [newest.hash, fromNow(clock, lifetime)])
      return linkToken(key, newest.seed)
    }
  }
  const key = keys.current('link')
  const seed = uuidv7<string>(clock)
  return issueOneTimeToken(tx, clock, requested, { token: linkToken(key, seed), seed, keyId: key.id })
}
