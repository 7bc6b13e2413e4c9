import type { Config } from '../../platform/config/config.js'
import type { Database } from '../../platform/db/database.js'
import type { SessionActor } from '../../platform/http/actor.js'
import { type OutboxMail, outboxFolder, outboxOf } from '../../platform/mail/outbox-folder.js'
import type { Audit } from '../audit/index.js'
import { readSettings } from '../settings/index.js'
import { rejection } from './errors.js'

export interface OutboxDeps {
  db: Database
  audit: Audit
  config: Pick<Config, 'dataDir' | 'loopback' | 'smtpUrl'>
}

/**
 * Returns a page of the mails that this node wrote, newest first, and their number.
 * @throws outbox_not_available
 */
export async function listMails(
  deps: OutboxDeps,
  { page, limit }: { page: number; limit: number },
): Promise<{ mails: OutboxMail[]; total: number }> {
  await requireAvailable(deps)
  return folderOf(deps).list({ offset: (page - 1) * limit, limit })
}

/** Returns a mail and records that the caller read it. @throws outbox_not_available, mail_not_found */
export async function readMail(deps: OutboxDeps, actor: SessionActor, id: string): Promise<OutboxMail> {
  await requireAvailable(deps)
  const mail = await folderOf(deps).find(id)
  if (!mail) throw rejection('mail_not_found')
  await deps.db.transaction((tx) =>
    deps.audit.record(tx, { ...actor, teamId: null }, 'mail.read', {
      resource: `mail:${mail.id}`,
      metadata: { kind: mail.kind, recipient: mail.to },
    }),
  )
  return mail
}

const folderOf = ({ config }: OutboxDeps) => outboxFolder(outboxOf(config))

/**
 * Returns whether administrators of the instance can read its mails. A mail can have a link that signs in as its recipient. On a loopback
 * BASE_URL, only the operator's own machine reaches the service, and the operator can read the files. Elsewhere, administrators of the
 * instance may have no access to its files. Before the onboarding, every owner of a team administers the instance.
 */
export const isOutboxReadable = ({ loopback, smtpUrl }: OutboxDeps['config'], isOnboarded: boolean): boolean =>
  loopback && !smtpUrl && isOnboarded

async function requireAvailable({ db, config }: OutboxDeps): Promise<void> {
  const { onboardedAt } = await db.transaction((tx) => readSettings(tx))
  if (!isOutboxReadable(config, onboardedAt !== null)) throw rejection('outbox_not_available')
}
