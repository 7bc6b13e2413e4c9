import type { Actor } from '../../platform/http/actor.js'
import type { ApiToken } from './api-token.js'
import { apiTokenRepository } from './api-token-repository.js'
import type { ApiTokenDeps } from './create-api-token.js'

/** One page of the team's API tokens, newest first: those that are over too. */
export const listApiTokens = (
  { db }: ApiTokenDeps,
  actor: Actor,
  page: { page: number; limit: number },
): Promise<{ tokens: ApiToken[]; total: number }> =>
  db.transaction((tx) => apiTokenRepository(tx, actor.teamId).page(page))
