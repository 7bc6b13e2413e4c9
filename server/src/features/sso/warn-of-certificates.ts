import { and, asc, eq, gt } from 'drizzle-orm'
import { DAY, HOUR } from '../../platform/clock.js'
import type { Transaction } from '../../platform/db/database.js'
import type { SsoProviderId } from '../../platform/ids.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { quotedTeam } from '../../platform/mail/quoted-team.js'
import { findOrganization } from '../teams/index.js'
import { administratorsOf } from './administrators.js'
import { endOf } from './certificate.js'
import type { SsoDeps } from './deps.js'
import { certificateMail } from './mails.js'
import type { Provider } from './provider.js'
import { providerRepository } from './repository.js'
import { type CertificateWarning, ssoProviders } from './tables.js'
import { verifiedDomains } from './verified-domains.js'

/** Days before the end, the longest first. */
const STEPS = [30, 7]
const AT_A_TIME = 200

type WarnDeps = Pick<SsoDeps, 'db' | 'clock' | 'config' | 'accounts'>

/**
 * Tells the administrators of a team that the last certificate of a provider ends within 30 days, and once more within 7. A certificate
 * that comes meanwhile, by hand or with the metadata, moves the end and with it the mails.
 */
export const warnOfCertificates = (deps: WarnDeps): JobKind => ({
  kind: 'sso.certificates',
  every: 12 * HOUR,
  run: async () => {
    let last: SsoProviderId | undefined
    const failed: unknown[] = []
    for (;;) {
      const page = await deps.db.transaction((tx) => pageAfter(tx, last))
      // One of which it cannot be told keeps the others waiting for nothing; the job is tried again for it.
      for (const provider of page)
        if (warningDue(provider, deps.clock.ms()))
          await deps.db.transaction((tx) => warn(tx, deps, provider)).catch((error: unknown) => failed.push(error))
      last = page.at(-1)?.id
      if (page.length === AT_A_TIME && last !== undefined) continue
      if (failed.length > 0) throw new AggregateError(failed, 'The end of some certificates could not be told')
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
    .limit(AT_A_TIME)

/** What the administrators are to be told now; undefined where nothing ends soon, where it has, and where they know. */
function warningDue(provider: Seen, now: number): CertificateWarning | undefined {
  const endsAt = endOf(provider)?.getTime()
  if (endsAt === undefined || endsAt <= now) return undefined
  const days = STEPS.findLast((step) => endsAt - now <= step * DAY)
  const told = provider.certificateWarning
  if (days === undefined || (told?.endsAt === endsAt && told.days <= days)) return undefined
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
  const administrators = await administratorsOf(tx, organizationId)
  // Who has had so many of these mails in a day is told with the next turn, and the others with them: what is noted was told.
  if (administrators.length === 0) return
  const cause = { teamId: organizationId, user: null }
  for (const to of administrators) if (!(await mailer.maySend(tx, certificateMail, to, cause))) return
  const values = {
    provider: provider.name,
    team: quotedTeam(team.name, await verifiedDomains.ofTeam(tx, organizationId, '')),
    day: new Date(warning.endsAt).toISOString().slice(0, 10),
    followsMetadata: Number(
      provider.samlMetadataUrl !== null && provider.samlFromMetadata.includes('samlCertificates'),
    ),
    url: `${config.frontendUrl}/t/${team.slug}/sso/${provider.id}`,
  }
  for (const to of administrators) await mailer.send(tx, certificateMail, to, values, cause)
  await repository.note(provider, { certificateWarning: warning })
}
