import { isPasswordAged, passwordPolicyOf } from '../policies/index.js'
import type { SignInStep } from './sign-in-step.js'

/**
 * Who came in by a password that is older than the team lets them be goes on to change it, and to nothing else. Any other way
 * of signing in is not stopped.
 */
export const agePassword: SignInStep = async (tx, { clock }, signIn) => {
  const { amr, method, user, team } = signIn
  // How old a password of a directory is, the directory sees to.
  if (!team || !amr.includes('pwd') || method === 'directory') return signIn
  const aged = isPasswordAged(await passwordPolicyOf(tx, team.id), signIn.passwordSetAt ?? user.passwordSetAt, clock)
  return aged ? { ...signIn, passwordDue: 'aged' } : signIn
}
