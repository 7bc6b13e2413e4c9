import type { Factor } from '../../api/contract'
import { factorWords as words } from '../../words'

/** The factors that a sign-in can ask for. Backup codes stand in for them and are none themselves. */
export function workingFactors(methods: Factor[], type?: 'PASSKEY' | 'TOTP'): Factor[] {
  return methods.filter(
    (one) => one.verified && one.enabled && one.type !== 'BACKUP_CODE' && (type === undefined || one.type === type),
  )
}

/** What protects the account, and opens it, when `removed` is gone. */
export function whatIsLeft(methods: Factor[], removed: Factor, hasPassword: boolean): string {
  const others = workingFactors(methods).filter(({ id }) => id !== removed.id)
  if (others.length === 0) return words.lastOne(hasPassword)
  return words.left(workingFactors(others, 'PASSKEY').length, workingFactors(others, 'TOTP').length)
}
