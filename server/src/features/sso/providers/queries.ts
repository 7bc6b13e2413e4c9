import type { Database } from '../../../platform/db/database.js'
import type { Actor } from '../../../platform/http/actor.js'
import { rejection } from '../errors.js'
import type { Provider } from '../model/provider.js'
import { providerRepository } from '../model/repository.js'

interface QueryDeps {
  db: Database
}

/** Returns the team's providers, newest first. */
export const listProviders = ({ db }: QueryDeps, actor: Actor): Promise<Provider[]> =>
  db.transaction((tx) => providerRepository(tx, actor.teamId).list())

/** @throws sso_provider_not_found */
export async function readProvider({ db }: QueryDeps, actor: Actor, id: string): Promise<Provider> {
  const provider = await db.transaction((tx) => providerRepository(tx, actor.teamId).find(id))
  if (!provider) throw rejection('sso_provider_not_found')
  return provider
}
