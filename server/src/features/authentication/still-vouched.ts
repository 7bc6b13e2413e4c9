import { isCovered } from '../members/index.js'
import { accessRefusal } from '../permissions/index.js'
import type { SignInStep } from './sign-in-step.js'

/**
 * A sign-in that waited for its second factor goes on only if the provider that vouched for it still does. One that did not wait was
 * judged a moment ago by whoever brought the statement.
 */
export const stillVouched: SignInStep = async (tx, { refuseVouched }, signIn) => {
  const { vouched, team, factor, temporarySetBy } = signIn
  const refused = vouched && team && factor && (await refuseVouched(tx, vouched, team.role))
  if (refused) return { refused }
  // A passkey or password from a session of a provider or directory is worth no more than that one.
  const isAbove = temporarySetBy && team && !(await isCovered(tx, temporarySetBy, team.role))
  return isAbove ? { refused: accessRefusal('role_protected') } : signIn
}
