import { MINUTE } from '../../../platform/clock.js'
import type { RequestOrigin } from '../../../platform/http/actor.js'
import { parseId, type SsoSignInId } from '../../../platform/ids.js'
import { countUnverified } from '../../authentication/index.js'
import { rejection } from '../errors.js'
import { beginAttempt, type NewAttempt } from '../model/attempts.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { findAnyProvider } from '../model/repository.js'
import { findTest } from '../model/sign-in-log.js'

export interface Start {
  /** A validated path of Keyward's pages. */
  returnTo: string | null
  loginHint?: string | undefined
  /** Maximum age of the session at the provider, in seconds; 0 requires the user to sign in there again. */
  maxAge?: number | undefined
  /** ID of the test run. */
  test?: string | undefined
  browserToken: string
}

/** The parameters of a login URL. */
interface Named {
  protocol: Provider['protocol']
  id: string
  /** The team to which the provider must belong, if the URL has one. */
  teamId?: string
  test?: string | undefined
}

const TEST_LIFE = 10 * MINUTE

/** Returns the provider to which a browser is sent, and the test run. @throws sso_provider_not_found, sso_run_not_found */
export async function findStart(
  { db, clock }: Pick<SsoDeps, 'db' | 'clock'>,
  { protocol, id, teamId, test }: Named,
): Promise<{ provider: Provider; testRun: SsoSignInId | null }> {
  return db.transaction(async (tx) => {
    const provider = await findAnyProvider(tx, id)
    const isMeant = provider?.protocol === protocol && (teamId === undefined || provider.organizationId === teamId)
    if (!provider || !isMeant) throw rejection('sso_provider_not_found')
    if (test === undefined) return { provider, testRun: null }
    const run = parseId<SsoSignInId>(test)
    const found = run && (await findTest(tx, provider.id, run))
    const isPending = found?.outcome === null && clock.ms() - found.createdAt.getTime() < TEST_LIFE
    if (!found || !isPending) throw rejection('sso_run_not_found')
    return { provider, testRun: found.id }
  })
}

/**
 * Stores a sign-in that is about to be sent to its provider, and counts it against its source until it completes.
 * @throws sso_provider_not_found if the provider was just deleted
 */
export const beginSignIn = (
  { db, clock, accounts }: Pick<SsoDeps, 'db' | 'clock' | 'accounts'>,
  attempt: NewAttempt,
  origin: RequestOrigin,
): Promise<void> =>
  db.transaction(async (tx) => {
    await countUnverified(tx, accounts, origin)
    if (!(await beginAttempt(tx, clock, attempt))) throw rejection('sso_provider_not_found')
  })
