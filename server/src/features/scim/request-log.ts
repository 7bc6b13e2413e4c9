import { uuidv7 } from '../../platform/crypto/random.js'
import { namedQuery } from '../../platform/db/named-query.js'
import type { ScimActor } from '../../platform/http/actor.js'
import type { ScimAnswer } from '../../platform/http/register-routes.js'
import type { ScimRequestId, ScimTokenId, TeamId } from '../../platform/ids.js'
import type { ScimDeps } from './deps.js'

interface Noted {
  /** Of when it was answered: the list is in their order, whichever node writes first. */
  id: ScimRequestId
  actor: ScimActor
  answer: ScimAnswer
  at: Date
}

/** A request of a directory as it is shown. */
export interface ShownRequest {
  id: ScimRequestId
  createdAt: string
  method: string
  path: string
  status: number
  scimType: string | null
  detail: string | null
  token: { id: ScimTokenId; name: string } | null
}

export interface RequestLog {
  /** Takes a request that was answered; it is written when it can be. */
  note(actor: ScimActor, answer: ScimAnswer): void
  /** The last of the team, newest first. */
  list(teamId: TeamId): Promise<ShownRequest[]>
  /** When everything that was taken so far is written. */
  settled(): Promise<void>
}

/** How many a team keeps. */
const KEPT = 100
/** How many wait at most, while the database is slower than the directories: of more, the oldest are forgotten. */
const MOST_WAITING = 1_000
const LONGEST = 500
/** How long requests gather that are written in one statement, in milliseconds. */
const GATHER_FOR = 50

type Columns = [
  ScimRequestId[],
  TeamId[],
  ScimTokenId[],
  string[],
  string[],
  number[],
  (string | null)[],
  (string | null)[],
  Date[],
]

// A token that was deleted meanwhile takes its requests with it.
const insertRequests = namedQuery<never, Columns>(
  'scim.note_requests',
  `INSERT INTO scim_requests (id, organization_id, token_id, method, path, status, scim_type, detail, created_at)
   SELECT n.* FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::timestamptz[])
     AS n (id, organization_id, token_id, method, path, status, scim_type, detail, created_at)
   JOIN scim_tokens t ON t.id = n.token_id FOR KEY SHARE OF t`,
)

const trimRequests = namedQuery<never, [TeamId[], number]>(
  'scim.trim_requests',
  `DELETE FROM scim_requests r USING unnest($1::uuid[]) AS team (id)
   WHERE r.organization_id = team.id AND r.id < (
     SELECT id FROM scim_requests o WHERE o.organization_id = team.id ORDER BY id DESC OFFSET $2::int - 1 LIMIT 1)`,
)

const lastRequests = namedQuery<
  Omit<ShownRequest, 'createdAt' | 'token'> & { createdAt: Date; tokenId: ScimTokenId; tokenName: string },
  [TeamId, number]
>(
  'scim.last_requests',
  `SELECT r.id, r.created_at AS "createdAt", r.method, r.path, r.status, r.scim_type AS "scimType", r.detail, t.id AS "tokenId", t.name AS "tokenName"
   FROM scim_requests r LEFT JOIN scim_tokens t ON t.id = r.token_id WHERE r.organization_id = $1 ORDER BY r.id DESC LIMIT $2`,
)

/** What is shown of an address: behind the team, decoded, and of a filter its attributes and operators alone. */
export function shownPath(url: string): string {
  const [path = '', query = ''] = url.replace(/^\/scim\/v2\/[^/?]*/, '').split('?', 2)
  const asked = [...new URLSearchParams(query)]
    .map(([name, value]) => `${name}=${name.toLowerCase() === 'filter' ? withoutValues(value) : value}`)
    .join('&')
  return clean(asked ? `${path}?${asked}` : path)
}

/** What is quoted in a filter or in a path is somebody's. */
const withoutTexts = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"?/g, '"…"')

/** What a refusal calls a name may be somebody's address that was written in its place. */
const withoutAddresses = (text: string): string => text.replace(/[^\s“”"]*@[^\s“”"]*/g, '…')

/** Literals that say nothing of anybody. */
const PLAIN = /^(?:true|false|null)$/i

/** A filter without its texts and, where somebody forgot their quotes, without what stands behind a comparison or has no shape of a name. */
const withoutValues = (filter: string): string =>
  withoutTexts(filter)
    .replace(/\b(eq|ne|co|sw|ew|gt|ge|lt|le)(\s+)([^\s()[\]"]+)/gi, (whole, op, space, value) =>
      PLAIN.test(value) ? whole : `${op}${space}…`,
    )
    .replace(/[^\s()[\]"]+/g, (word) => (/^[\w.:$-]+$/.test(word) ? word : '…'))

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '').slice(0, LONGEST)

/**
 * The last requests of each team. Not in the way of any: they are written behind the answer, many in one statement while there are many,
 * and what cannot be written is forgotten.
 */
export function createRequestLog({ db, clock, log }: Pick<ScimDeps, 'db' | 'clock' | 'log'>): RequestLog {
  const waiting: Noted[] = []
  /** While requests gather: ends it. */
  let writeNow: (() => void) | undefined
  /** When all that was taken so far is written. */
  let written = Promise.resolve()
  const counts = new Map<TeamId, number>()

  function gather(): void {
    const before = written
    const gathered = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_FOR)
      writeNow = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    written = gathered
      .then(() => before)
      .then(() => {
        writeNow = undefined
        return write(waiting.splice(0))
      })
  }

  async function write(some: Noted[]): Promise<void> {
    try {
      await db.run(insertRequests, columnsOf(some))
      const due = teamsToTrim(some.map(({ actor }) => actor.teamId))
      if (due.length > 0) await db.run(trimRequests, [due, KEPT])
    } catch (error) {
      log.warn({ err: error, requests: some.length }, 'requests of directories could not be noted')
    }
  }

  const columnsOf = (some: Noted[]): Columns => [
    some.map(({ id }) => id),
    some.map(({ actor }) => actor.teamId),
    some.map(({ actor }) => actor.scimTokenId),
    some.map(({ answer }) => answer.method),
    some.map(({ answer }) => shownPath(answer.url)),
    some.map(({ answer }) => answer.status),
    some.map(({ answer }) => answer.scimType ?? null),
    some.map(({ answer }) =>
      answer.detail === undefined ? null : clean(withoutAddresses(withoutTexts(answer.detail))),
    ),
    some.map(({ at }) => at),
  ]

  /** A team's list may be twice as long as it is shown before the rest of it is taken away. */
  function teamsToTrim(teams: TeamId[]): TeamId[] {
    for (const team of teams) counts.set(team, (counts.get(team) ?? 0) + 1)
    const due = [...counts].filter(([, count]) => count >= KEPT).map(([team]) => team)
    for (const team of due) counts.delete(team)
    return due
  }

  const settled = async () => {
    writeNow?.()
    await written
  }

  return {
    settled,
    note(actor, answer) {
      waiting.push({ id: uuidv7<ScimRequestId>(clock), actor, answer, at: clock.now() })
      if (waiting.length > MOST_WAITING) waiting.shift()
      if (!writeNow) gather()
    },
    async list(teamId) {
      await settled()
      const rows = await db.run(lastRequests, [teamId, KEPT])
      return rows.map(({ createdAt, tokenId, tokenName, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        token: tokenId && { id: tokenId, name: tokenName },
      }))
    },
  }
}
