import { uuidv7 } from '../../../platform/crypto/random.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { ScimActor } from '../../../platform/http/actor.js'
import type { ScimRequestId, ScimTokenId, TeamId } from '../../../platform/ids.js'
import type { ScimDeps } from '../model/deps.js'
import type { ScimResponse } from '../model/scim-dialect.js'

/** A completed request as it is stored. */
interface LoggedRequest {
  /** Contains the completion time, which defines the order across nodes. */
  id: ScimRequestId
  organizationId: TeamId
  tokenId: ScimTokenId
  method: string
  path: string
  status: number
  scimType: string | null
  detail: string | null
  createdAt: Date
}

/** A request of a SCIM client as it is listed. */
type ShownRequest = Pick<LoggedRequest, 'id' | 'method' | 'path' | 'status' | 'scimType' | 'detail'> & {
  createdAt: string
  token: { id: ScimTokenId; name: string } | null
}

export interface RequestLog {
  /** Queues a completed request to be written. */
  note(actor: ScimActor, response: ScimResponse): void
  /** Returns the recent requests of the team, newest first. */
  list(teamId: TeamId): Promise<ShownRequest[]>
  /** Resolves when everything queued so far is written. */
  settled(): Promise<void>
}

/** The number of requests that are stored for each team. */
export const MAX_REQUESTS = 100
/** The maximum length of the queue while the database is slow; above it, the oldest requests are dropped. */
const MAX_WAITING = 1_000
const LONGEST = 500
/** How long requests are collected for one statement, in milliseconds. */
const GATHER_FOR = 50

// Requests of a token that was deleted in the meantime are omitted.
const insertRequests = namedQuery<never, [string]>(
  'scim.record_requests',
  `INSERT INTO scim_requests (id, organization_id, token_id, method, path, status, scim_type, detail, created_at)
   SELECT n.* FROM jsonb_to_recordset($1::jsonb) AS n (id uuid, "organizationId" uuid, "tokenId" uuid, method text, path text, status int,
     "scimType" text, detail text, "createdAt" timestamptz)
   JOIN scim_tokens t ON t.id = n."tokenId" FOR KEY SHARE OF t`,
)

// Skips rows that another node deletes: waiting for them could deadlock.
const trimRequests = namedQuery<never, [TeamId[], number]>(
  'scim.trim_requests',
  `DELETE FROM scim_requests WHERE id IN (
     SELECT r.id FROM unnest($1::uuid[]) AS team (id) JOIN scim_requests r ON r.organization_id = team.id
     WHERE r.id < (SELECT id FROM scim_requests o WHERE o.organization_id = team.id ORDER BY id DESC OFFSET $2::int - 1 LIMIT 1)
     FOR UPDATE OF r SKIP LOCKED)`,
)

type ListedRow = Omit<LoggedRequest, 'organizationId'> & { tokenName: string }

const lastRequests = namedQuery<ListedRow, [TeamId, number]>(
  'scim.last_requests',
  `SELECT r.id, r.created_at AS "createdAt", r.method, r.path, r.status, r.scim_type AS "scimType", r.detail, t.id AS "tokenId", t.name AS "tokenName"
   FROM scim_requests r LEFT JOIN scim_tokens t ON t.id = r.token_id WHERE r.organization_id = $1 ORDER BY r.id DESC LIMIT $2`,
)

/** Returns the loggable part of a URL: the decoded path after the team, and filters without their values. */
function loggedPath(url: string): string {
  const [path = '', query = ''] = url.replace(/^\/scim\/v2\/[^/?]*/, '').split('?', 2)
  const shownQuery = [...new URLSearchParams(query)]
    .map(([name, value]) => `${name}=${name.toLowerCase() === 'filter' ? withoutValues(value) : value}`)
    .join('&')
  return storable(shownQuery ? `${path}?${shownQuery}` : path)
}

/** Removes quoted strings of a filter or path, which are personal data. */
const withoutStrings = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"?/g, '"…"')

/** Removes email addresses: an error may quote one that was sent in place of a name. */
const withoutAddresses = (text: string): string => text.replace(/[^\s“”"]*@[^\s“”"]*/g, '…')

/** Literals that are not personal data. */
const PLAIN = /^(?:true|false|null)$/i

/**
 * Removes the strings of a filter. For values without quotes, removes operands of comparisons and anything that is not shaped like a
 * name.
 */
const withoutValues = (filter: string): string =>
  withoutStrings(filter)
    .replace(/\b(eq|ne|co|sw|ew|gt|ge|lt|le)(\s+)([^\s()[\]"]+)/gi, (whole, op, space, value) =>
      PLAIN.test(value) ? whole : `${op}${space}…`,
    )
    .replace(/[^\s()[\]"]+/g, (word) => (/^[\w.:$-]+$/.test(word) ? word : '…'))

/** Well-formed again at the end: the cut may divide a surrogate pair, which the database rejects in JSON. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '').slice(0, LONGEST).toWellFormed()

/**
 * Creates the log of the recent requests of each team. It delays no request: entries are written afterwards, many in one statement, and
 * dropped if they cannot be written.
 */
export function createRequestLog({ db, clock, log }: Pick<ScimDeps, 'db' | 'clock' | 'log'>): RequestLog {
  const waiting: LoggedRequest[] = []
  /** Ends the collection phase, while there is one. */
  let writeNow: (() => void) | undefined
  /** Resolves when everything queued so far is written. */
  let written = Promise.resolve()
  const counts = new Map<TeamId, number>()

  function gather(): void {
    const before = written
    const collected = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_FOR)
      writeNow = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    written = collected
      .then(() => before)
      .then(() => {
        writeNow = undefined
        return write(waiting.splice(0))
      })
  }

  async function write(some: LoggedRequest[]): Promise<void> {
    try {
      await db.run(insertRequests, [JSON.stringify(some)])
      const due = teamsToTrim(some.map(({ organizationId }) => organizationId))
      if (due.length > 0) await db.run(trimRequests, [due, MAX_REQUESTS])
    } catch (error) {
      log.warn({ err: error, requests: some.length }, 'SCIM requests could not be logged')
    }
  }

  /** Returns the teams to trim. A team's log may reach twice its limit before that. */
  function teamsToTrim(teams: TeamId[]): TeamId[] {
    for (const team of teams) counts.set(team, (counts.get(team) ?? 0) + 1)
    const due = [...counts].filter(([, count]) => count >= MAX_REQUESTS).map(([team]) => team)
    for (const team of due) counts.delete(team)
    return due
  }

  const settled = async () => {
    writeNow?.()
    await written
  }

  return {
    settled,
    note({ teamId, scimTokenId }, { method, url, status, scimType, detail }) {
      waiting.push({
        id: uuidv7<ScimRequestId>(clock),
        organizationId: teamId,
        tokenId: scimTokenId,
        method,
        path: loggedPath(url),
        status,
        scimType: scimType ?? null,
        detail: detail === undefined ? null : storable(withoutAddresses(withoutStrings(detail))),
        createdAt: clock.now(),
      })
      if (waiting.length > MAX_WAITING) waiting.shift()
      if (!writeNow) gather()
    },
    async list(teamId) {
      await settled()
      const rows = await db.run(lastRequests, [teamId, MAX_REQUESTS])
      return rows.map(({ createdAt, tokenId, tokenName, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        token: tokenId && { id: tokenId, name: tokenName },
      }))
    },
  }
}
