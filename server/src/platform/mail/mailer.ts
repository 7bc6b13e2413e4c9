import { eq, lt } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR, MINUTE } from '../clock.js'
import type { Config } from '../config/config.js'
import type { Envelope } from '../crypto/envelope.js'
import { uuidv7 } from '../crypto/random.js'
import type { Database, Transaction } from '../db/database.js'
import { deleteInBatches } from '../db/delete-in-batches.js'
import { namedQuery } from '../db/named-query.js'
import { mails } from '../db/platform-tables.js'
import type { MailId } from '../ids.js'
import type { JobKind, Jobs } from '../jobs/jobs.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics.js'
import type { Brand, MailKind } from './letter.js'
import { renderHtml, renderText } from './render.js'
import type { Transport } from './transport.js'

/**
 * The outbox. `send` is a step: the mail exists if and only if its transaction commits, and a job hands it over afterwards, so
 * that no request waits for a mail server. One row and one Message-ID a mail: should a node die between handing over and
 * noting it, the second copy carries the same Message-ID, which mail servers and readers know as the same mail.
 */
export interface Mailer {
  /** A step: whether the recipient may get one more mail of this kind within the hour. Asked before a link is made, which kills the earlier one. */
  maySend(tx: Transaction, kind: Pick<MailKind, 'kind'>, to: string): Promise<boolean>
  /** A step: the mail exists from the commit on. */
  send<Values extends Record<string, string | number | null>>(
    tx: Transaction,
    kind: MailKind<Values>,
    to: string,
    values: Values,
  ): Promise<void>
  jobKinds: JobKind[]
}

const recentMails = namedQuery<{ count: number }, [string, string, Date]>(
  'mails.recent',
  'SELECT count(*)::int AS count FROM mails WHERE recipient = $1 AND kind = $2 AND created_at > $3',
)

interface MailerDeps {
  db: Database
  clock: Clock
  config: Pick<Config, 'baseUrl' | 'mailFrom' | 'limits'>
  envelope: Envelope
  jobs: Jobs
  log: Logger
  metrics: Metrics
  transport: Transport
  brand: () => Promise<Brand>
  kinds: MailKind<never>[]
}

const contextOf = (id: MailId) => `mail:${id}`
const KEEP_FOR = 30 * DAY

export function createMailer(deps: MailerDeps): Mailer {
  const { db, clock, config, envelope, jobs, log, metrics } = deps
  const kinds = new Map(deps.kinds.map((kind) => [kind.kind, kind as unknown as MailKind]))
  const { hostname } = new URL(config.baseUrl)

  /** What it said is a secret (a link): when it is out, or of no use any more, nothing of it stays here. */
  const forget = (id: MailId, sentAt: Date | null) =>
    db.transaction((tx) => tx.update(mails).set({ sentAt, sealedValues: null }).where(eq(mails.id, id)))

  async function deliver(id: MailId): Promise<void> {
    const [mail] = await db.transaction((tx) => tx.select().from(mails).where(eq(mails.id, id)))
    if (!mail?.sealedValues || mail.sentAt) return
    const kind = kinds.get(mail.kind)
    if (!kind) throw new Error(`No room writes mails of the kind ${mail.kind}`)
    if (kind.goodFor && clock.ms() - mail.createdAt.getTime() > kind.goodFor) {
      await forget(id, null)
      log.warn({ mail: id, kind: mail.kind }, 'a mail was not sent: its link is too old by now')
      return
    }
    const brand = await deps.brand()
    const letter = kind.write(JSON.parse(envelope.open(mail.sealedValues, contextOf(id)).toString()), brand)
    const { file } = await deps.transport({
      id,
      kind: mail.kind,
      from: config.mailFrom ?? `${brand.name.replace(/["\\<>@,;:]/g, '')} <no-reply@${hostname}>`,
      to: mail.recipient,
      subject: letter.subject,
      text: renderText(letter, brand),
      html: renderHtml(letter, brand),
      messageId: mail.messageId,
      date: mail.createdAt,
    })
    await forget(id, clock.now())
    metrics.observeMail('sent')
    log.info(
      { mail: id, kind: mail.kind, ...(file && { file }) },
      file ? 'a mail was written to the outbox' : 'a mail was handed over',
    )
  }

  function noteFailure(error: unknown): never {
    metrics.observeMail('failed')
    throw error
  }

  return {
    async maySend(tx, { kind }, to) {
      if (config.limits.mails === 0) return true
      const [recent] = await tx.run(recentMails, [to, kind, fromNow(clock, -HOUR)])
      return (recent?.count ?? 0) < config.limits.mails
    },
    async send(tx, kind, to, values) {
      const id = uuidv7<MailId>(clock)
      await tx.insert(mails).values({
        id,
        kind: kind.kind,
        recipient: to,
        messageId: `<${id}@${hostname}>`,
        sealedValues: envelope.seal(JSON.stringify(values), contextOf(id)),
        createdAt: clock.now(),
      })
      await jobs.enqueue(tx, 'mail.send', { mail: id })
    },
    jobKinds: [
      {
        kind: 'mail.send',
        attempts: 15,
        leaseMs: 2 * MINUTE,
        run: ({ mail }) => deliver(mail as MailId).catch(noteFailure),
      },
      {
        kind: 'mail.purge',
        every: HOUR,
        waitsFirst: true,
        run: () => deleteInBatches(db, mails, lt(mails.createdAt, fromNow(clock, -KEEP_FOR))),
      },
    ],
  }
}
