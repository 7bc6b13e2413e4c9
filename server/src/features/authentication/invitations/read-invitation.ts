import type { RequestOrigin } from '../../../platform/http/actor.js'
import { openInvitation, type WaitingInvitation } from '../../members/index.js'
import { sessionError } from '../../sessions/index.js'
import type { AccountDeps } from '../deps.js'
import { withTokenLimit } from '../limits/token-limit.js'

/**
 * What a link of an invitation leads to. Nothing in it depends on whether the address has an account.
 * @throws invalid_token, rate_limited, team_suspended, invitation_withdrawn
 */
export const readInvitation = (deps: AccountDeps, token: string, origin: RequestOrigin): Promise<WaitingInvitation> =>
  withTokenLimit(deps, origin, async () => {
    const invitation = await deps.db.transaction((tx) => openInvitation(tx, deps.clock, token))
    if (!invitation) throw sessionError('invalid_token')
    return invitation
  })
