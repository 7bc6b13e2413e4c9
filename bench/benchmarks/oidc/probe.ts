import { connect, exchangeOn } from '../../harness/http-load.js'
import type { Load } from '../../harness/measure.js'
import type { Operation } from './sides.js'

/** The tokens that an answer brings, as JWTs of the operation's algorithm. */
const JWTS: Partial<Record<Operation['kind'], string[]>> = {
  code: ['access_token', 'id_token'],
  refresh: ['access_token', 'id_token'],
  client_credentials: ['access_token'],
}
const PROBE_SECONDS = 0.01

/** One request of a load, before it is measured: a side that answers something else does other work. @throws when it does */
export async function probe(load: Load, { name, kind, algorithm }: Operation): Promise<void> {
  await load.prepare?.(PROBE_SECONDS)
  const exchange = load.next()
  if (!exchange) throw new Error(`${name}: there is nothing to ask`)
  let text = ''
  const socket = await connect(load.child.port)
  await exchangeOn(socket, {
    ...exchange,
    answered: (body) => {
      text = body
    },
  })
  socket.destroy()
  if (exchange.status === 304) {
    if (text) throw new Error(`${name}: what the client has was sent again`)
    return
  }
  const answer = JSON.parse(text) as Record<string, unknown>
  for (const token of JWTS[kind] ?? []) {
    const [header = ''] = String(answer[token]).split('.')
    const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString() || '{}') as { alg?: string }
    if (alg !== algorithm) throw new Error(`${name}: ${token} is signed with ${alg}`)
  }
  if ((kind === 'code' || kind === 'refresh') && typeof answer.refresh_token !== 'string')
    throw new Error(`${name}: no refresh token came`)
  const live = kind === 'introspection' || kind === 'introspection, Basic'
  if (kind.startsWith('introspection') && answer.active !== live) throw new Error(`${name}: active is ${answer.active}`)
  if (kind === 'userinfo' && !answer.email) throw new Error(`${name}: the claims are not there`)
}
