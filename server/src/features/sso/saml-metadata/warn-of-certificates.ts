import { and, asc, eq, gt } from 'drizzle-orm'
import { DAY, HOUR } from '../../../platform/clock.js'
import type { Transaction } from '../../../platform/db/database.js'
import type { SsoProviderId } from '../../../platform/ids.js'
import type { JobKind } from '../../../platform/jobs/jobs.js'
import { quotedTeam } from '../../../platform/mail/quoted-team.js'
import { mailRecipients } from '../../members/index.js'
import { permissionsOf, ROLES } from '../../permissions/index.js'
import { findOrganization } from '../../teams/index.js'
import { verifiedDomains } from '../domains/verified-domains.js'
import { endOf } from '../model/certificate.js'
import type { SsoDeps } from '../model/deps.js'
import type { Provider } from '../model/provider.js'
import { providerRepository } from '../model/repository.js'
import { type CertificateWarning, ssoProviders } from '../tables.js'
import { certificateMail } from './mails.js'

/** Roles that may write providers of the team. */
const WRITERS = ROLES.filter((role) => permissionsOf(role).has('sso:write'))
/** Days before the expiry, longest first. */
const STEPS = [30, 7]
const PAGE = 200

type WarnDeps = Pick<SsoDeps, 'db' | 'clock' | 'config' | 'accounts'>

/**
 * Notifies the administrators of a team 30 days and 7 days before the last certificate of a provider expires. A new certificate, entered
 * manually or read from metadata, postpones both.
 */
export const warnOfCertificates = (deps: WarnDeps): JobKind => ({
  kind: 'sso.certificates',
  every: 12 * HOUR,
  run: async () => {
    let last: SsoProviderId | undefined
    const failed: unknown[] = []
    for (;;) {
      const page = await deps.db.transaction((tx) => pageAfter(tx, last))
      // A failed notification does not delay the others; the job is retried for it.
      for (const provider of page)
        if (warningDue(provider, deps.clock.ms()))
          await deps.db.transaction((tx) => warn(tx, deps, provider)).catch((error: unknown) => failed.push(error))
      last = page.at(-1)?.id
      if (page.length === PAGE && last !== undefined) continue
      if (failed.length > 0) throw new AggregateError(failed, 'Some certificate warnings could not be sent')
      return
    }
  },
})

type Seen = Pick<Provider, 'id' | 'organizationId' | 'samlCertificates' | 'certificateWarning'>

const pageAfter = (tx: Transaction, last: SsoProviderId | undefined): Promise<Seen[]> =>
  tx
    .select({
      id: ssoProviders.id,
      organizationId: ssoProviders.organizationId,
      samlCertificates: ssoProviders.samlCertificates,
      certificateWarning: ssoProviders.certificateWarning,
    })
    .from(ssoProviders)
    .where(
      and(
        eq(ssoProviders.protocol, 'SAML2'),
        eq(ssoProviders.enabled, true),
        last === undefined ? undefined : gt(ssoProviders.id, last),
      ),
    )
    .orderBy(asc(ssoProviders.id))
    .limit(PAGE)

/** Returns the warning that is due; undefined if nothing expires soon, it has already expired, or the warning was sent. */
function warningDue(provider: Seen, now: number): CertificateWarning | undefined {
  const endsAt = endOf(provider)?.getTime()
  if (endsAt === undefined || endsAt <= now) return undefined
  const days = STEPS.findLast((step) => endsAt - now <= step * DAY)
  const sent = provider.certificateWarning
  if (days === undefined || (sent?.endsAt === endsAt && sent.days <= days)) return undefined
  return { endsAt, days }
}

async function warn(
  tx: Transaction,
  { clock, config, accounts: { mailer } }: WarnDeps,
  { id, organizationId }: Seen,
): Promise<void> {
  const repository = providerRepository(tx, organizationId)
  const provider = await repository.lock(id)
  const warning = provider && warningDue(provider, clock.ms())
  if (!provider?.enabled || !warning) return
  const team = await findOrganization(tx, organizationId)
  const administrators = (await mailRecipients(tx, organizationId, WRITERS)).map(({ email }) => email)
  // If an administrator has reached the daily limit of these mails, all are notified by a later run: the stored warning covers all.
  if (administrators.length === 0) return
  const cause = { teamId: organizationId, user: null }
  for (const to of administrators) if (!(await mailer.maySend(tx, certificateMail, to, cause))) return
  const values = {
    provider: provider.name,
    team: quotedTeam(team.name, await verifiedDomains.domainOfTeam(tx, organizationId, '')),
    day: new Date(warning.endsAt).toISOString().slice(0, 10),
    followsMetadata: Number(
      provider.samlMetadataUrl !== null && provider.samlFromMetadata.includes('samlCertificates'),
    ),
    url: `${config.frontendUrl}/t/${team.slug}/sso/${provider.id}`,
  }
  for (const to of administrators) await mailer.send(tx, certificateMail, to, values, cause)
  await repository.note(provider, { certificateWarning: warning })
}
