import { isCovered } from '../../members/index.js'
import { permissionError } from '../../permissions/index.js'
import type { SignInStep } from './sign-in-step.js'

/**
 * A sign-in that waited for its second factor goes on only if the provider that vouched for it still does. One that did not wait was
 * judged a moment ago by whoever brought the statement.
 */
export const isStillAsserted: SignInStep = async (tx, { rejectAsserted }, signIn) => {
  const { asserted, team, factor, temporarySetBy } = signIn
  const rejected = asserted && team && factor && (await rejectAsserted(tx, asserted, team.role))
  if (rejected) return { rejected }
  // A passkey or password from a session of a provider or directory is worth no more than that one.
  const isAbove = temporarySetBy && team && !(await isCovered(tx, temporarySetBy, team.role))
  return isAbove ? { rejected: permissionError('role_protected') } : signIn
}
