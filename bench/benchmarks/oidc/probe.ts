import { connect, exchangeOn } from '../../harness/http-load.js'
import type { Load } from '../../harness/measure.js'
import type { Operation } from './sides.js'

/** The tokens of each response that are JWTs of the operation's algorithm. */
const JWTS: Partial<Record<Operation['kind'], string[]>> = {
  code: ['access_token', 'id_token'],
  refresh: ['access_token', 'id_token'],
  client_credentials: ['access_token'],
}
const PROBE_SECONDS = 0.01

/** Sends one request of a load and verifies the response, so that all sides do the same work. @throws on a different response */
export async function probe(load: Load, { name, kind, algorithm }: Operation): Promise<void> {
  await load.prepare?.(PROBE_SECONDS)
  const exchange = load.next()
  if (!exchange) throw new Error(`${name}: the load has no request`)
  let text = ''
  const socket = await connect(load.child.port)
  await exchangeOn(socket, {
    ...exchange,
    onBody: (body) => {
      text = body
    },
  })
  socket.destroy()
  if (exchange.status === 304) {
    if (text) throw new Error(`${name}: the cached document was sent again`)
    return
  }
  const response = JSON.parse(text) as Record<string, unknown>
  for (const token of JWTS[kind] ?? []) {
    const [header = ''] = String(response[token]).split('.')
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString() || '{}') as { alg?: string }
    if (alg !== algorithm) throw new Error(`${name}: ${token} is signed with ${alg}`)
  }
  if ((kind === 'code' || kind === 'refresh') && typeof response.refresh_token !== 'string')
    throw new Error(`${name}: no refresh token in the response`)
  const active = kind === 'introspection' || kind === 'introspection, Basic'
  if (kind.startsWith('introspection') && response.active !== active)
    throw new Error(`${name}: active is ${response.active}`)
  if (kind === 'userinfo' && !response.email) throw new Error(`${name}: no claims in the response`)
}
