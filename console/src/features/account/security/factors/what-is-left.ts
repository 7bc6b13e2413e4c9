import type { Factor } from '../../../../api/contract'
import m from '../../../../messages/en/factors.json'

/** Returns the methods that a sign-in can require. Backup codes replace them and are not included. */
export function workingFactors(methods: Factor[], type?: 'PASSKEY' | 'TOTP'): Factor[] {
  return methods.filter(
    (one) => one.verified && one.enabled && one.type !== 'BACKUP_CODE' && (type === undefined || one.type === type),
  )
}

/** Describes the methods that remain without `removed`. */
export function whatIsLeft(methods: Factor[], removed: Factor, hasPassword: boolean): string {
  const others = workingFactors(methods).filter(({ id }) => id !== removed.id)
  if (others.length === 0) return m.lastMethod({ hasPassword: hasPassword ? 'yes' : 'no' })
  const passkeys = workingFactors(others, 'PASSKEY').length
  const authenticators = others.length - passkeys
  return m.remaining({ passkeys, authenticators, both: passkeys > 0 && authenticators > 0 ? 'yes' : 'no' })
}
