import { DAY } from '../../../platform/clock.js'
import { uuidv7 } from '../../../platform/crypto/random.js'
import { rejection } from '../../../platform/errors.js'
import type { SsoProviderId, TeamId } from '../../../platform/ids.js'
import type { SsoDeps } from '../model/deps.js'

type Deps = Pick<SsoDeps, 'clock' | 'envelope'>

/** A reservation opens for its team only: another team must not get a redirect URL that is registered at a provider. */
const contextOf = (teamId: TeamId): string => `sso-provider-reservation:${teamId}`

/** Reserves a provider ID, so that the redirect URL is known before the provider is created. Stores nothing. */
export function reserveProvider({ clock, envelope }: Deps, teamId: TeamId) {
  const id = uuidv7<SsoProviderId>(clock)
  const expiresAt = new Date(clock.now().getTime() + DAY)
  return { id, reservation: envelope.seal(`${id} ${expiresAt.toISOString()}`, contextOf(teamId)) }
}

/**
 * Returns the reserved ID.
 * @throws invalid_request if the reservation is malformed, expired or of another team
 */
export function reservedId({ clock, envelope }: Deps, teamId: TeamId, reservation: string): SsoProviderId {
  const [id = '', expiresAt = ''] = opened(envelope, reservation, contextOf(teamId)).split(' ')
  if (!id || new Date(expiresAt) <= clock.now()) throw reservationRejected()
  return id as SsoProviderId
}

function opened(envelope: Deps['envelope'], reservation: string, context: string): string {
  try {
    return envelope.open(reservation, context).toString('utf8')
  } catch {
    return ''
  }
}

export const reservationRejected = () =>
  rejection('invalid_request', {
    detail: 'The reservation is not valid',
    errors: [{ path: '/reservation', message: 'is not valid, has expired, or was already used' }],
  })
