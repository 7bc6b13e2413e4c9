import { fromNow, SECOND } from '../../../platform/clock.js'
import { randomToken } from '../../../platform/crypto/random.js'
import type { SealedColumn } from '../../../platform/crypto/rewrap-column.js'
import { tokenHash } from '../../../platform/crypto/token-hash.js'
import type { Transaction } from '../../../platform/db/database.js'
import { namedQuery } from '../../../platform/db/named-query.js'
import type { PostForm } from '../../../platform/http/post-form-page.js'
import type { ApplicationId } from '../../../platform/ids.js'
import { readSettings } from '../../settings/index.js'
import type { FormResponse } from '../engine/engine-context.js'
import type { Client } from '../model/client.js'
import type { OidcProviderDeps } from '../model/deps.js'
import { rejection } from '../model/errors.js'
import { LIFETIMES } from '../model/lifetimes.js'
import { formResponses } from '../tables.js'

export const FORM_RESPONSE_PATH = '/api/v1/oauth/authorize/response'

const contextOf = (hash: Buffer): string => `form-response:${hash.toString('hex')}`

/** The columns that `ENCRYPTION_KEY` encrypts. */
export const SEALED_FORM_RESPONSES: SealedColumn[] = [
  { id: formResponses.hash, sealed: formResponses.sealedResponse, contextOf },
]

const insertResponse = namedQuery<
  never,
  { hash: Buffer; applicationId: ApplicationId; browserHash: Buffer | null; sealed: string; expiresAt: Date }
>(
  'oidc_provider.insert_form_response',
  'INSERT INTO form_responses (hash, application_id, browser_hash, sealed_response, expires_at) VALUES (:hash, :applicationId, :browserHash, :sealed, :expiresAt)',
)

/** Returns the form that posts an authorization response to its redirect URI. Runs in the caller's transaction. */
export async function formOfResponse(
  tx: Transaction,
  { name }: Pick<Client, 'name'>,
  { redirectUri, fields }: FormResponse,
): Promise<PostForm> {
  const instance = (await readSettings(tx)).name
  return { action: redirectUri, fields, heading: `Signing in to ${name}`, instance }
}

/**
 * Stores an authorization response for as long as its code is valid. The console completes the request, and its Content-Security-Policy allows no form to
 * another site, so the browser requests the form from this service. Runs in the caller's transaction.
 * @param browserHash the only browser that receives the form; null for any
 * @returns the URL of the form
 */
export async function storeFormResponse(
  tx: Transaction,
  { clock, config, envelope }: Pick<OidcProviderDeps, 'clock' | 'config' | 'envelope'>,
  client: Client,
  form: FormResponse,
  browserHash: Buffer | null,
): Promise<string> {
  const id = randomToken()
  const hash = tokenHash(id)
  await tx.run(insertResponse, {
    hash,
    applicationId: client.id,
    browserHash,
    sealed: envelope.seal(JSON.stringify(form), contextOf(hash)),
    expiresAt: fromNow(clock, LIFETIMES.authorizationCode * SECOND),
  })
  return `${config.baseUrl}${FORM_RESPONSE_PATH}?${new URLSearchParams({ id })}`
}

const takeResponse = namedQuery<{ sealed: string; name: string }, [Buffer, Date, Buffer | null]>(
  'oidc_provider.take_form_response',
  `DELETE FROM form_responses r USING applications a
   WHERE r.hash = $1 AND r.expires_at > $2 AND (r.browser_hash IS NULL OR r.browser_hash = $3) AND a.id = r.application_id
   RETURNING r.sealed_response AS sealed, a.name`,
)

/**
 * Returns the form of a completed request, once; only to the browser that began the request, if the response is bound to one.
 * @throws interaction_not_found
 */
export async function takeFormResponse(
  { db, clock, envelope }: Pick<OidcProviderDeps, 'db' | 'clock' | 'envelope'>,
  id: string,
  browserToken: string | undefined,
): Promise<PostForm> {
  const hash = tokenHash(id)
  return db.transaction(async (tx) => {
    const [row] = await tx.run(takeResponse, [hash, clock.now(), browserToken ? tokenHash(browserToken) : null])
    if (!row) throw rejection('interaction_not_found')
    const form = JSON.parse(envelope.open(row.sealed, contextOf(hash)).toString()) as FormResponse
    return formOfResponse(tx, row, form)
  })
}
