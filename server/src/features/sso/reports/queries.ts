import type { Transaction } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { parseId, type SsoSignInId } from '../../../platform/ids.js'
import { rejection } from '../errors.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { providerRepository, requireProvider } from '../model/repository.js'
import { samlLoginUrl } from '../model/saml-urls.js'
import { findTest, type RecordedSignIn, recentSignIns, recordTest } from '../model/sign-in-log.js'

type QueryDeps = Pick<SsoDeps, 'db' | 'clock' | 'audit' | 'config'>

const find = async (tx: Transaction, actor: Actor, id: string): Promise<Provider> =>
  requireProvider(await providerRepository(tx, actor.teamId).find(id))

/** @throws sso_provider_not_found */
export const listSignIns = ({ db }: QueryDeps, actor: Actor, id: string): Promise<RecordedSignIn[]> =>
  db.transaction(async (tx) => recentSignIns(tx, (await find(tx, actor, id)).id))

/** @throws sso_provider_not_found, sso_run_not_found */
export const readTest = ({ db }: QueryDeps, actor: Actor, id: string, runId: string): Promise<RecordedSignIn> =>
  db.transaction(async (tx) => {
    const provider = await find(tx, actor, id)
    const known = parseId<SsoSignInId>(runId)
    const test = known && (await findTest(tx, provider.id, known))
    if (!test) throw rejection('sso_run_not_found')
    return test
  })

/** Starts a test sign-in and returns the URL for the browser. @throws sso_provider_not_found */
export const startTest = (
  { db, clock, audit, config }: QueryDeps,
  actor: Actor,
  id: string,
): Promise<{ url: string; runId: string }> =>
  db.transaction(async (tx) => {
    const provider = await find(tx, actor, id)
    const runId = await recordTest(tx, clock, provider)
    await audit.record(tx, actor, 'sso_provider.tested', {
      resource: `sso_provider:${provider.id}`,
      metadata: { runId },
    })
    return { url: `${loginUrl(config.baseUrl, provider)}test=${runId}`, runId }
  })

/** Returns a URL to which a query parameter can be appended. */
const loginUrl = (baseUrl: string, provider: Provider): string =>
  provider.protocol === 'OIDC'
    ? `${baseUrl}/api/v1/sso/oidc/${provider.id}/login?`
    : `${samlLoginUrl(baseUrl, provider)}&`
