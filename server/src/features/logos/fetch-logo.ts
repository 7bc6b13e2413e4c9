import { and, eq } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.js'
import { type Outbound, OutboundError, type TeamOutbound } from '../../platform/http/outbound.js'
import type { TeamId } from '../../platform/ids.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { mediaTypeOf } from './media-type.js'
import { logos } from './tables.js'

export const FETCH_LOGO_JOB = 'logos.fetch'

const MOST_BYTES = 262_144
const MOST_REDIRECTS = 3

interface FetchRequest {
  ownerId: string
  url: string
  /** Absent in a job of an earlier release. */
  team?: TeamId
}

/** Fetches a picture from its publisher and stores it, if the owner still has that URL. What is no picture is not stored. */
export const fetchLogo = ({ db, outbound }: { db: Database; outbound: Outbound }): JobKind => ({
  kind: FETCH_LOGO_JOB,
  attempts: 2,
  atOnce: 10,
  // A publisher that does not answer delays no logo of another team.
  perTeam: 1,
  aside: true,
  run: async (payload) => {
    const { ownerId, url, team } = payload as unknown as FetchRequest
    const isWanted = and(eq(logos.ownerId, ownerId), eq(logos.url, url))
    // The owner may have another logo URL by now.
    const wanted = await db.transaction((tx) => tx.select({ url: logos.url }).from(logos).where(isWanted))
    if (wanted.length === 0) return
    const content = await fetchPicture(outbound.ofTeam(team ?? (ownerId as TeamId)), url)
    const mediaType = content && mediaTypeOf(content)
    if (!content || !mediaType) return
    await db.transaction((tx) => tx.update(logos).set({ content, mediaType }).where(isWanted))
  },
})

/** The content of a URL, also behind up to three redirects; undefined if there is none that may be stored. */
async function fetchPicture(outbound: TeamOutbound, url: string): Promise<Buffer | undefined> {
  const act = outbound.together()
  let next = url
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await act.send(next, { method: 'GET', headers: { accept: 'image/*' } }).catch(noAnswer)
    const { location } = answer?.headers ?? {}
    if (answer?.status === 200) return answer.bytes.length <= MOST_BYTES ? answer.bytes : undefined
    if (!answer || answer.status < 300 || answer.status >= 400 || typeof location !== 'string') return undefined
    if (!URL.canParse(location, next)) return undefined
    next = new URL(location, next).href
  }
  return undefined
}

function noAnswer(error: Error): undefined {
  if (error instanceof OutboundError) return undefined
  throw error
}
