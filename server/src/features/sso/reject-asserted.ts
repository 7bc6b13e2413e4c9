import { AppError } from '../../platform/app-error.js'
import type { AccountDeps } from '../authentication/index.js'
import { actingPermissions, requireWithin } from './acting-permissions.js'
import { requireSame } from './complete-sign-in.js'
import { lockProvider } from './repository.js'

/**
 * A step: judges once more the provider of a sign-in that waited for its second factor: it is as it was when it vouched, and whoever
 * answers for it still may. A test never waits.
 */
export const rejectAsserted: AccountDeps['rejectAsserted'] = async (tx, { providerId, providerVersion }, role) => {
  try {
    const provider = requireSame(await lockProvider(tx, providerId), { providerVersion, testRun: null })
    requireWithin(await actingPermissions(tx, provider), role)
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error
    throw error
  }
}
