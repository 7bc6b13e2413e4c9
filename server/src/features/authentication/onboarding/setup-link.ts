import { fromNow, MINUTE } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import { sessionError } from '../../sessions/index.js'
import { type InstanceSettings, readSettings, writeSetupToken } from '../../settings/index.js'
import { teamNameFrom } from '../../teams/index.js'
import { normalizeEmail } from '../../users/index.js'
import type { AccountDeps, SignInRequest } from '../deps.js'
import { rejection } from '../errors.js'
import { sessionOf } from '../pipeline/sign-in.js'
import type { SignedIn } from '../pipeline/sign-in-step.js'
import { redeemInTransaction } from '../recovery/redeem-link.js'
import type { Cleaned } from '../registration/first-verification.js'
import { enterByLink } from '../sign-in/sign-in-by-link.js'
import { appointAdmin } from './onboard.js'

const LIFETIME = 15 * MINUTE

/** How the operator appoints the first administrator: with the printed link, or with a link that `POST /onboard` mails. */
export type SetupHint = { link: string } | 'by_mail'

/**
 * Creates a setup link for the operator's terminal, which invalidates an earlier one; undefined if an administrator was appointed. Only on a
 * loopback BASE_URL without SMTP_URL and SETUP_SECRET: there the operator can read every mail in DATA_DIR, so that a mailed link would prove
 * nothing more. The token is in the fragment, which browsers do not send to the server.
 */
export function createSetupLink({ db, clock, audit, config }: AccountDeps): Promise<SetupHint | undefined> {
  return db.transaction(async (tx) => {
    const { onboardedAt } = await readSettings(tx, true)
    if (onboardedAt) return undefined
    if (!config.loopback || config.smtpUrl || config.setupSecret) return 'by_mail'
    const token = randomToken()
    await writeSetupToken(tx, tokenHash(token), fromNow(clock, LIFETIME))
    const origin = { ip: null, userAgent: null, requestId: 'setup_link' }
    await audit.record(tx, { userId: null, teamId: null, origin }, 'instance.setup_link_created', {
      resource: 'instance:singleton',
    })
    return { link: `${config.frontendUrl}/setup#token=${token}` }
  })
}

interface Setup {
  token: string
  adminEmail: string
  teamName?: string
}

/**
 * Appoints the first super-admin with the setup link and signs them in, like `onboard` followed by the mailed link: the email address counts
 * as verified, and a factor of an existing account is required. An error leaves the link valid; exactly one of several concurrent requests
 * succeeds.
 * @throws invalid_token, already_onboarded, rate_limited, account_suspended, invalid_request
 */
export function setUpInstance(
  deps: AccountDeps,
  { token, adminEmail, teamName }: Setup,
  request: SignInRequest,
): Promise<{ signedIn: SignedIn; cleaned: Cleaned | undefined }> {
  const { origin } = request
  const email = normalizeEmail(adminEmail, '/adminEmail')
  return redeemInTransaction(deps, origin, async (tx) => {
    const settings = await readSettings(tx, true)
    if (settings.onboardedAt) throw rejection('already_onboarded')
    if (!isValid(deps, settings, token)) throw sessionError('invalid_token')
    const name = teamName ?? teamNameFrom(settings.name)
    const appointed = await appointAdmin(tx, deps, { email, teamName: name, method: 'setup_link' }, origin)
    const { outcome, cleaned } = await enterByLink(tx, deps, appointed.token, request, undefined)
    // Thrown inside the transaction, so that the appointment is rolled back.
    if ('rejected' in outcome) throw outcome.rejected
    return { signedIn: sessionOf(outcome), cleaned }
  })
}

function isValid(
  { clock, config }: AccountDeps,
  { setupTokenHash, setupTokenExpiresAt }: InstanceSettings,
  token: string,
): boolean {
  // A later start with other settings must not accept the link of an earlier one.
  if (!config.loopback || config.smtpUrl || config.setupSecret) return false
  if (!setupTokenHash || !setupTokenExpiresAt || setupTokenExpiresAt <= clock.now()) return false
  return tokenHash(token).equals(setupTokenHash)
}
