import { and, eq } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.js'
import { type Outbound, OutboundError, type TeamOutbound } from '../../platform/http/outbound.js'
import type { TeamId } from '../../platform/ids.js'
import type { JobKind } from '../../platform/jobs/jobs.js'
import { type LogoFailure, logos } from './tables.js'

export const FETCH_LOGO_JOB = 'logos.fetch'

const MAX_BYTES = 262_144
const MAX_REDIRECTS = 3

interface FetchRequest {
  ownerId: string
  url: string
  /** Absent in a job of an earlier release. */
  team?: TeamId
}

/** Fetches an image from its publisher and stores it, or the reason of the failure, if the owner still has that URL. */
export const fetchLogo = ({ db, outbound }: { db: Database; outbound: Outbound }): JobKind => ({
  kind: FETCH_LOGO_JOB,
  attempts: 2,
  concurrency: 10,
  // A publisher that does not respond delays no logo of another team.
  perTeam: 1,
  aside: true,
  run: async (payload) => {
    const { ownerId, url, team } = payload as unknown as FetchRequest
    const isWanted = and(eq(logos.ownerId, ownerId), eq(logos.url, url))
    // The owner may have another logo URL by now.
    const wanted = await db.transaction((tx) => tx.select({ url: logos.url }).from(logos).where(isWanted))
    if (wanted.length === 0) return
    const fetched = await fetchPicture(outbound.ofTeam(team ?? (ownerId as TeamId)), url)
    await db.transaction((tx) => tx.update(logos).set(fetched).where(isWanted))
  },
})

type Fetched = { content: Buffer; mediaType: string; failure: null } | { failure: LogoFailure }

/** Returns the image at a URL, after up to three redirects, or the reason of the failure. */
async function fetchPicture(outbound: TeamOutbound, url: string): Promise<Fetched> {
  const act = outbound.together()
  let next = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await act.send(next, { method: 'GET', headers: { accept: 'image/*' } }).catch(noAnswer)
    if (!response) return { failure: 'no_answer' }
    if (response.status === 200) return pictureOf(response.bytes)
    const { location } = response.headers
    const isRedirect = response.status >= 300 && response.status < 400 && typeof location === 'string'
    if (!isRedirect || !URL.canParse(location, next)) return { failure: 'bad_status' }
    next = new URL(location, next).href
  }
  return { failure: 'too_many_redirects' }
}

function pictureOf(content: Buffer): Fetched {
  if (content.length > MAX_BYTES) return { failure: 'too_large' }
  const mediaType = mediaTypeOf(content)
  return mediaType ? { content, mediaType, failure: null } : { failure: 'not_a_picture' }
}

function noAnswer(error: Error): undefined {
  if (error instanceof OutboundError) return undefined
  throw error
}

type Signature = readonly [mediaType: string, isOfType: (content: Buffer) => boolean]

const startsWith = (content: Buffer, signature: string, offset = 0): boolean =>
  content.toString('latin1', offset, offset + signature.length) === signature

const SIGNATURES: readonly Signature[] = [
  ['image/png', (content) => startsWith(content, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (content) => startsWith(content, '\xff\xd8\xff')],
  ['image/gif', (content) => startsWith(content, 'GIF87a') || startsWith(content, 'GIF89a')],
  ['image/webp', (content) => startsWith(content, 'RIFF') && startsWith(content, 'WEBP', 8)],
  ['image/svg+xml', (content) => /^\ufeff?\s*<(?:svg[\s>]|\?xml.*<svg[\s>])/s.test(content.toString('utf8', 0, 2_048))],
]

/** Returns the media type of an image by its first bytes, independent of its server; undefined if it is not supported as a logo. */
const mediaTypeOf = (content: Buffer): string | undefined => SIGNATURES.find(([, isOfType]) => isOfType(content))?.[0]
