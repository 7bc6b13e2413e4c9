import { MINUTE } from '../../platform/clock.js'
import { parseId, type SsoSignInId } from '../../platform/ids.js'
import type { SsoDeps } from './deps.js'
import { rejection } from './errors.js'
import type { Provider } from './provider.js'
import { findTest } from './recorder.js'
import { findAnyProvider } from './repository.js'

export interface Start {
  /** A path of our pages, judged. */
  returnTo: string | null
  loginHint: string | undefined
  /** Seconds that the person may have been signed in at the provider; 0 asks them to sign in there anew. */
  maxAge: number | undefined
  /** The test that this is. */
  test: string | undefined
  browserToken: string
}

/** What the address of a login names. */
interface Named {
  protocol: Provider['protocol']
  id: string
  /** The team, where the address has one: the provider must be its own. */
  teamId?: string
  test: string | undefined
}

const TEST_LIFE = 10 * MINUTE

/** The provider that a browser is to be sent to, and the test that it is. @throws sso_provider_not_found, sso_run_not_found */
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
    const waits = found?.outcome === null && clock.ms() - found.createdAt.getTime() < TEST_LIFE
    if (!found || !waits) throw rejection('sso_run_not_found')
    return { provider, testRun: found.id }
  })
}
