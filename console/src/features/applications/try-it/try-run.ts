import { asProblem } from '../../../api/problem'
import { explain } from '../../../words'
import { authorizeUrl } from './authorize-request'
import { checkIdToken } from './check-id-token'
import { type Jwt, readJwt } from './jwt'
import type { PendingTry } from './pending-try'
import { type CheckName, Fault, Skipped, type Step, type StepName } from './try-steps'
import { verifySignature } from './verify-signature'
import type { Answer, World } from './world'

/** The tokens of a run. They are kept in the memory of the page only. */
export interface Tokens {
  access: string
  refresh: string | null
  id: string | null
}

type Report = (step: Step) => void
type Body = Record<string, unknown>

const bodyOf = ({ body }: Answer): Body => (typeof body === 'object' && body !== null ? (body as Body) : {})
const textOf = (value: unknown) => (typeof value === 'string' && value ? value : null)

/** Runs one step and reports its state before and after. Returns null if it was skipped; throws if it failed. */
async function runStep<T>(name: StepName, report: Report, work: (step: Step) => Promise<T> | T): Promise<T | null> {
  const step: Step = { name, state: 'running', exchanges: [], checks: [] }
  report({ ...step })
  try {
    const result = await work(step)
    report({ ...step, state: 'done' })
    return result
  } catch (thrown) {
    if (thrown instanceof Skipped) {
      report({ ...step, state: 'skipped', skipped: thrown.reason })
      return null
    }
    const problem = asProblem(thrown)
    const fault =
      thrown instanceof Fault
        ? { code: thrown.code, description: thrown.description }
        : { code: problem.code, description: explain(problem) }
    report({ ...step, state: 'failed', fault })
    throw thrown
  }
}

/** Records a check. Throws a `Fault` if it failed, because later steps depend on it. */
function check(step: Step, name: CheckName, passed: boolean | null, faultCode = 'check_failed') {
  step.checks.push({ name, passed })
  if (passed === false) throw new Fault(faultCode)
}

/** Sends a request and records it with its response. */
async function send(step: Step, world: World, request: Parameters<World['send']>[0]): Promise<Answer> {
  const exchange = { request, answer: null as Answer | null }
  step.exchanges.push(exchange)
  exchange.answer = await world.send(request)
  return exchange.answer
}

const json = (value: unknown) => ({
  headers: [['Content-Type', 'application/json']] as [string, string][],
  body: { json: value },
})

/** Throws a `Fault` with the error of an unsuccessful OAuth response. */
function wanted(answer: Answer, fallback = 'server_error'): Body {
  const body = bodyOf(answer)
  if (answer.status >= 400)
    throw new Fault(textOf(body.error) ?? textOf(body.code) ?? fallback, body.error_description ?? body.detail)
  return body
}

async function tokenStep(
  step: Step,
  pending: PendingTry,
  world: World,
  grant: [string, string][],
  request: Parameters<World['tokenEndpoint']>[0],
  authorization: string,
): Promise<Body> {
  const exchange = {
    request: {
      method: 'POST',
      url: `${pending.issuer}/token`,
      headers: pending.isPublic ? [] : ([['Authorization', `Basic (${authorization})`]] as [string, string][]),
      body: { form: pending.isPublic ? [...grant, ['client_id', pending.clientId] as [string, string]] : grant },
    },
    answer: null as Answer | null,
  }
  step.exchanges.push(exchange)
  exchange.answer = await world.tokenEndpoint(request)
  const body = wanted(exchange.answer)
  if (!textOf(body.access_token)) throw new Fault('server_error')
  return body
}

/**
 * Runs all steps from the callback to the first refresh, as an application does. Reports each step as it begins and ends; the
 * first that fails ends the run.
 * @param query of the callback URL
 * @param addedByService replaces the client secret, which the service adds
 * @returns the tokens, or null if the run ended early
 */
export async function tryRun(
  pending: PendingTry,
  query: URLSearchParams,
  world: World,
  report: Report,
  addedByService: string,
): Promise<Tokens | null> {
  try {
    return await allSteps(pending, query, world, report, addedByService)
  } catch {
    return null
  }
}

async function allSteps(
  pending: PendingTry,
  query: URLSearchParams,
  world: World,
  report: Report,
  added: string,
): Promise<Tokens> {
  const { issuer, redirectUri, verifier, scope } = pending
  const asksOpenid = scope.split(' ').includes('openid')
  const cameBackTo = `${redirectUri}?${query}`

  await runStep('authorize', report, (step) => {
    step.exchanges.push({
      request: { method: 'GET', url: authorizeUrl(pending), headers: [] },
      answer: null,
      cameBackTo,
    })
  })

  const code = await runStep('callback', report, (step) => {
    check(step, 'state', query.get('state') === pending.state, 'state_mismatch')
    const iss = query.get('iss')
    check(step, 'issuerAnswer', iss === null ? null : iss === issuer, 'issuer_mismatch')
    const error = query.get('error')
    if (error) throw new Fault(error, query.get('error_description'))
    check(step, 'code', Boolean(query.get('code')), 'code_missing')
    return query.get('code') ?? ''
  })

  const first = await runStep('token', report, (step) =>
    tokenStep(
      step,
      pending,
      world,
      [
        ['grant_type', 'authorization_code'],
        ['code', code ?? ''],
        ['redirect_uri', redirectUri],
        ['code_verifier', verifier],
      ],
      { issuer, grantType: 'authorization_code', code: code ?? '', codeVerifier: verifier, redirectUri },
      added,
    ),
  )
  const tokens: Tokens = {
    access: textOf(first?.access_token) ?? '',
    refresh: textOf(first?.refresh_token),
    id: textOf(first?.id_token),
  }

  const idToken = await runStep('idToken', report, (step) => {
    if (!tokens.id) throw asksOpenid ? new Fault('id_token_missing') : new Skipped('noOpenid')
    const jwt = readJwt(tokens.id)
    step.token = { raw: tokens.id, jwt }
    if (!jwt) throw new Fault('token_malformed')
    step.claims = jwt.payload
    step.checks = checkIdToken(jwt, pending, world.now())
    if (step.checks.some(({ passed }) => passed === false)) throw new Fault('check_failed')
    return jwt
  })

  await runStep('signature', report, async (step) => {
    if (!idToken) throw new Skipped('noOpenid')
    const keys = wanted(await send(step, world, { method: 'GET', url: `${issuer}/jwks`, headers: [] })).keys
    const verdict = await verifySignature(idToken, Array.isArray(keys) ? keys : [])
    check(step, 'key', verdict !== 'key_missing', verdict)
    check(step, 'signature', verdict === 'valid', verdict)
  })

  await runStep('accessToken', report, (step) => {
    const jwt = readJwt(tokens.access)
    step.token = { raw: tokens.access, jwt }
    if (!jwt) return
    step.claims = jwt.payload
    check(step, 'exp', Number(jwt.payload.exp) > world.now())
  })

  await runStep('userinfo', report, async (step) => {
    if (!asksOpenid) throw new Skipped('noOpenid')
    const claims = wanted(
      await send(step, world, {
        method: 'GET',
        url: `${issuer}/userinfo`,
        headers: [['Authorization', `Bearer ${tokens.access}`]],
      }),
      'invalid_token',
    )
    step.claims = claims
    check(step, 'sub', claims.sub === idToken?.payload.sub)
  })

  await runStep('refresh', report, async (step) => {
    if (!tokens.refresh) throw new Skipped('noRefresh')
    const next = await tokenStep(
      step,
      pending,
      world,
      [
        ['grant_type', 'refresh_token'],
        ['refresh_token', tokens.refresh],
      ],
      { issuer, grantType: 'refresh_token', refreshToken: tokens.refresh },
      added,
    )
    const replaced = textOf(next.refresh_token)
    check(step, 'rotated', replaced === null ? null : replaced !== tokens.refresh || null)
    check(step, 'sameSub', samePerson(idToken, textOf(next.id_token)))
    tokens.access = textOf(next.access_token) ?? tokens.access
    tokens.refresh = replaced ?? tokens.refresh
  })
  return tokens
}

function samePerson(before: Jwt | null, idToken: string | null): boolean | null {
  const after = idToken === null ? null : readJwt(idToken)
  return before && after ? after.payload.sub === before.payload.sub : null
}

/** Revokes the tokens of the run, and introspects the access token. */
export async function revokeTokens(tokens: Tokens, origin: string, world: World, report: Report): Promise<void> {
  const ask = (step: Step, path: string, token: string) =>
    send(step, world, { method: 'POST', url: `${origin}/api/v1/oauth/${path}`, ...json({ token }) })
  try {
    await runStep('revoke', report, async (step) => {
      for (const token of [tokens.refresh, tokens.access]) if (token) wanted(await ask(step, 'revoke', token))
      check(step, 'revoked', true)
    })
    await runStep('introspect', report, async (step) => {
      const answer = await ask(step, 'introspect', tokens.access)
      if (answer.status === 401) throw new Skipped('closed')
      check(step, 'inactive', wanted(answer).active === false, 'still_active')
    })
  } catch {
    // The failed step shows the reason.
  }
}
