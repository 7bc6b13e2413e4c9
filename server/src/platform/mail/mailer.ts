import { eq } from 'drizzle-orm'
import { type Clock, DAY, fromNow, HOUR, MINUTE, SECOND } from '../clock.js'
import type { Config } from '../config/config.js'
import type { Envelope } from '../crypto/envelope.js'
import { uuidv7 } from '../crypto/random.js'
import type { SealedColumn } from '../crypto/rewrap-column.js'
import { hashParts } from '../crypto/token-hash.js'
import type { Database, Transaction } from '../db/database.js'
import { namedQuery } from '../db/named-query.js'
import { mails } from '../db/platform-tables.js'
import { deletedAfter, deleteExpired, type RetentionRule } from '../db/retention.js'
import { retryLater } from '../errors.js'
import type { Actor } from '../http/actor.js'
import type { MailId, TeamId, UserId } from '../ids.js'
import type { JobKind, Jobs } from '../jobs/jobs.js'
import { purgeJob } from '../jobs/purge-job.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics/metrics.js'
import type { Brand, MailKind, MailValues } from './mail-kind.js'
import { deleteMailsBefore, outboxOf } from './outbox-folder.js'
import { renderHtml, renderText } from './render.js'
import type { Transport } from './transport.js'

/** The cause of a mail that the recipient did not request. */
export interface MailCause {
  teamId: TeamId
  /** The user who acts for the team; null if no user does, or the recipient does in a session that is restricted to the team. */
  user: { id: UserId; emailVerified: boolean } | null
}

/** Returns the cause of the mails that a request of the caller leads to. */
export const causeOf = ({ teamId, userId, user }: Pick<Actor, 'teamId' | 'userId'> & MailCaller): MailCause => ({
  teamId,
  user: { id: userId, emailVerified: user.emailVerified },
})

/** Returns the cause of the mails of a session: none for an unrestricted one. */
export const causeOfSession = (restrictedTo: TeamId | null): MailCause | null =>
  restrictedTo && { teamId: restrictedTo, user: null }

interface MailCaller {
  user: Pick<Actor['user'], 'emailVerified'>
}

/**
 * The outbox. A mail exists if and only if the transaction of `send` commits. A job sends it afterwards, so that no request waits
 * for a mail server. Each mail has one row and one Message-ID: if a node crashes between sending and recording it, the second copy
 * has the same Message-ID, so that mail servers and clients recognize the duplicate.
 */
export interface Mailer {
  /**
   * Returns whether the limits allow one more mail of this kind to the recipient. Mails that a team causes are limited per day, for the
   * team and for the user who acts for it over all of their teams; all others per hour; neither uses up the other. Runs in the caller's
   * transaction.
   */
  maySend(tx: Transaction, kind: Pick<MailKind, 'kind'>, to: string, cause?: MailCause | null): Promise<boolean>
  /** Returns how many seconds remain until `maySend` is true again; 0 if it is true now. Runs in the caller's transaction. */
  secondsUntilAllowed(
    tx: Transaction,
    kind: Pick<MailKind, 'kind'>,
    to: string,
    cause?: MailCause | null,
  ): Promise<number>
  /**
   * Verifies that the user who acts for the team may cause mails to this recipient: with an unverified email address, only to a few a day.
   * For an act of which the recipient must be notified. Runs in the caller's transaction. @throws rate_limited
   */
  admitRecipient(tx: Transaction, to: string, cause: MailCause): Promise<void>
  /**
   * Returns whether a mail that the recipient may have requested can be repeated beyond the hourly limit: at most once a minute, so
   * that requests of others never keep a user from receiving a valid link. Runs in the caller's transaction.
   */
  mayRepeat(tx: Transaction, kind: Pick<MailKind, 'kind'>, to: string): Promise<boolean>
  /**
   * Stores the mail, which exists from the commit on. One that a blocked team causes is dropped, and the team does not notice. Runs in the
   * caller's transaction.
   */
  send<Values extends MailValues>(
    tx: Transaction,
    kind: MailKind<Values>,
    to: string,
    values: Values,
    cause?: MailCause | null,
  ): Promise<void>
  /** Adds kinds of mails, which must happen before the jobs start. */
  register(kinds: MailKind[]): void
  jobKinds: JobKind[]
}

/** The mail that must leave the window before another one is allowed, if as many as allowed are in it. */
const blockingMail = namedQuery<{ created_at: Date }, [string, string, Date, number]>(
  'mails.blocking',
  `SELECT created_at FROM mails WHERE recipient = $1 AND kind = $2 AND team_id IS NULL AND created_at > $3
   ORDER BY created_at DESC LIMIT 1 OFFSET $4`,
)

/** Like `blockingMail` for mails that a team causes: the later one of those of the team and those of the user over all teams. */
const blockingMailOfTeam = namedQuery<
  { created_at: Date | null },
  { recipient: string; kind: string; teamId: TeamId; userId: UserId | null; since: Date; offset: number }
>(
  'mails.blocking_of_team',
  `SELECT greatest(
     (SELECT created_at FROM mails WHERE recipient = :recipient AND kind = :kind AND team_id = :teamId AND created_at > :since
      ORDER BY created_at DESC LIMIT 1 OFFSET :offset),
     (SELECT created_at FROM mails WHERE recipient = :recipient AND kind = :kind AND caused_by_user_id = :userId AND created_at > :since
      ORDER BY created_at DESC LIMIT 1 OFFSET :offset)) AS created_at`,
)

/** The last mail to the recipient who must leave the window before the user can cause mails to another one. */
const blockingRecipient = namedQuery<{ created_at: Date }, [UserId, Date, string, number]>(
  'mails.blocking_recipient',
  `SELECT max(created_at) AS created_at FROM mails WHERE caused_by_user_id = $1 AND created_at > $2 AND recipient <> $3
   GROUP BY recipient ORDER BY 1 DESC LIMIT 1 OFFSET $4`,
)

// Held until the transaction ends, so that the second of two concurrent requests counts the mail of the first. A separate statement,
// because a single one would read the state before the wait. Only users with an unverified email address wait, for their own requests.
const lockRecipientsOf = namedQuery<never, [string]>(
  'mails.lock_recipients_of',
  'SELECT pg_advisory_xact_lock($1::bigint)',
)

interface MailerDeps {
  db: Database
  clock: Clock
  config: Pick<Config, 'baseUrl' | 'dataDir' | 'mailFrom' | 'limits'>
  envelope: Envelope
  jobs: Jobs
  log: Logger
  metrics: Metrics
  /** For mails that a user may have requested, and for mails that a team causes. */
  transports: Record<'users' | 'teams', Transport>
  brand: () => Promise<Brand>
  /** Whether the recipient has blocked the mails of the team. */
  isBlocked: (tx: Transaction, teamId: TeamId, recipient: string) => Promise<boolean>
}

const contextOf = (id: MailId) => `mail:${id}`

/** The columns that `ENCRYPTION_KEY` encrypts: mails that are not sent yet. */
export const SEALED_MAILS: SealedColumn[] = [{ id: mails.id, sealed: mails.sealedValues, contextOf }]

/** How long a mail is stored, in the database and in the outbox folder. */
const MAIL_LIFETIME = 30 * DAY

export const MAIL_RETENTION: RetentionRule[] = [
  deletedAfter(
    mails,
    mails.createdAt,
    MAIL_LIFETIME,
    'after 30 days; so are the files in DATA_DIR/outbox of the node that runs the job',
  ),
]

const REPEAT_AFTER = MINUTE

/**
 * Concurrent mails of a node. The two kinds never wait for each other, and teams are served round-robin: a team that causes thousands
 * of mails delays no sign-in link, and delays the mail of another team by one mail.
 */
export const CONCURRENT_MAILS = { users: 6, teams: 4 } as const
const CONCURRENT_MAILS_OF_TEAM = 2
const ATTEMPTS = 15

export function createMailer(deps: MailerDeps): Mailer {
  const { db, clock, config, envelope, jobs, log, metrics } = deps
  const kinds = new Map<string, MailKind>()
  const { hostname } = new URL(config.baseUrl)

  /** Deletes the content, which can contain a secret link, once the mail is sent, expired or given up. Runs in the caller's transaction. */
  const forget = (tx: Transaction, id: MailId, sentAt: Date | null) =>
    tx.update(mails).set({ sentAt, sealedValues: null }).where(eq(mails.id, id))

  async function deliver(id: MailId): Promise<void> {
    const [mail] = await db.transaction((tx) => tx.select().from(mails).where(eq(mails.id, id)))
    if (!mail?.sealedValues || mail.sentAt) return
    const kind = kinds.get(mail.kind)
    if (!kind) throw new Error(`No module defines mails of the kind ${mail.kind}`)
    if (kind.goodFor && clock.ms() - mail.createdAt.getTime() > kind.goodFor) {
      await db.transaction((tx) => forget(tx, id, null))
      metrics.observeMail('expired')
      log.warn({ mail: id, kind: mail.kind }, 'a mail was not sent: its link has expired')
      return
    }
    const brand = await deps.brand()
    const letter = kind.write(JSON.parse(envelope.open(mail.sealedValues, contextOf(id)).toString()), brand)
    const { file } = await deps.transports[mail.teamId ? 'teams' : 'users'].send({
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
    await db.transaction((tx) => forget(tx, id, clock.now()))
    metrics.observeMail('sent')
    log.info(
      { mail: id, kind: mail.kind, ...(file && { file }) },
      file ? 'a mail was written to the outbox' : 'a mail was sent',
    )
  }

  async function secondsUntilAllowed(
    tx: Transaction,
    kind: string,
    to: string,
    cause?: MailCause | null,
  ): Promise<number> {
    if (cause) return Math.max(await secondsOfTeam(tx, kind, to, cause), await secondsOfRecipient(tx, to, cause))
    const most = config.limits.mails
    if (most === 0) return 0
    const [mail] = await tx.run(blockingMail, [to, kind, fromNow(clock, -HOUR), most - 1])
    return secondsAfter(mail?.created_at, HOUR)
  }

  async function secondsOfTeam(
    tx: Transaction,
    kind: string,
    to: string,
    { teamId, user }: MailCause,
  ): Promise<number> {
    const most = config.limits.teamMails
    if (most === 0) return 0
    const since = fromNow(clock, -DAY)
    const [mail] = await tx.run(blockingMailOfTeam, {
      recipient: to,
      kind,
      teamId,
      userId: user?.id ?? null,
      since,
      offset: most - 1,
    })
    return secondsAfter(mail?.created_at, DAY)
  }

  async function secondsOfRecipient(tx: Transaction, to: string, { user }: MailCause): Promise<number> {
    const most = config.limits.unverifiedRecipients
    if (most === 0 || !user || user.emailVerified) return 0
    await tx.run(lockRecipientsOf, [hashParts('mails.recipients_of', user.id).readBigInt64BE().toString()])
    const [mail] = await tx.run(blockingRecipient, [user.id, fromNow(clock, -DAY), to, most - 1])
    return secondsAfter(mail?.created_at, DAY)
  }

  /** Returns how many seconds remain until a mail leaves the window. */
  const secondsAfter = (createdAt: Date | null | undefined, window: number): number =>
    createdAt ? Math.ceil((createdAt.getTime() + window - clock.ms()) / SECOND) : 0

  const sending = {
    attempts: ATTEMPTS,
    aside: true,
    leaseMs: 2 * MINUTE,
    run: ({ mail }: Record<string, unknown>) =>
      deliver(mail as MailId).catch((error: unknown) => {
        metrics.observeMail('failed')
        throw error
      }),
    async onGivenUp(tx: Transaction, { mail }: Record<string, unknown>) {
      await forget(tx, mail as MailId, null)
      tx.afterCommit(() => metrics.observeMail('given_up'))
    },
  }

  return {
    register(added) {
      for (const kind of added) kinds.set(kind.kind, kind)
    },
    async maySend(tx, { kind }, to, cause) {
      return (await secondsUntilAllowed(tx, kind, to, cause)) === 0
    },
    secondsUntilAllowed(tx, { kind }, to, cause) {
      return secondsUntilAllowed(tx, kind, to, cause)
    },
    async admitRecipient(tx, to, cause) {
      const wait = await secondsOfRecipient(tx, to, cause)
      if (wait > 0) throw retryLater('rate_limited', wait)
    },
    async mayRepeat(tx, { kind }, to) {
      return (await tx.run(blockingMail, [to, kind, fromNow(clock, -REPEAT_AFTER), 0])).length === 0
    },
    async send(tx, kind, to, values, cause) {
      const id = uuidv7<MailId>(clock)
      // Stored without its contents and never sent: it counts toward the limit like any other, so that the team does not notice.
      const isDropped = cause ? await deps.isBlocked(tx, cause.teamId, to) : false
      await tx.insert(mails).values({
        id,
        kind: kind.kind,
        recipient: to,
        teamId: cause?.teamId ?? null,
        causedByUserId: cause?.user?.id ?? null,
        messageId: `<${id}@${hostname}>`,
        sealedValues: isDropped ? null : envelope.seal(JSON.stringify(values), contextOf(id)),
        createdAt: clock.now(),
      })
      if (isDropped) return
      if (cause) await jobs.enqueue(tx, 'mail.send_for_team', { mail: id }, cause.teamId)
      else await jobs.enqueue(tx, 'mail.send', { mail: id })
    },
    jobKinds: [
      { ...sending, kind: 'mail.send', concurrency: CONCURRENT_MAILS.users },
      {
        ...sending,
        kind: 'mail.send_for_team',
        concurrency: CONCURRENT_MAILS.teams,
        perTeam: CONCURRENT_MAILS_OF_TEAM,
      },
      {
        ...purgeJob({ db, clock }, 'mail.purge', MAIL_RETENTION),
        async run() {
          await deleteExpired({ db, clock }, MAIL_RETENTION)
          await deleteMailsBefore(outboxOf(config), fromNow(clock, -MAIL_LIFETIME), log)
        },
      },
    ],
  }
}
