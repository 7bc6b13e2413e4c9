import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.js'
import type { KeyRing } from '../crypto/key-ring.js'
import type { Logger } from '../log.js'

interface RequestLogDeps {
  config: Pick<Config, 'logRequests' | 'logClients'>
  keys: Pick<KeyRing, 'current'>
  log: Logger
}

/** The client of a request, for its log line. */
export interface LoggedClient {
  ip: string | null
  /** The ID of the authenticated user. */
  userId: string | null | undefined
}

/** 128 bits: collisions do not occur, and the lines stay short. */
const HASH_BYTES = 16

/**
 * Creates the function that logs a finished request: its route, response, client and problem code, and never its URL, because a query string
 * can contain a token.
 */
export function createRequestLog({ config, keys, log }: RequestLogDeps) {
  const { logRequests, logClients } = config

  // Keyed: a plain hash of an IPv4 address can be reversed by hashing all of them.
  const hashed = (kind: string, value: string) =>
    createHmac('sha256', keys.current('log').key)
      .update(`${kind}:${value}`)
      .digest()
      .subarray(0, HASH_BYTES)
      .toString('base64url')
  const written = logClients === 'hashed' ? hashed : (_kind: string, value: string) => value

  return (request: FastifyRequest, reply: FastifyReply, route: string, { ip, userId }: LoggedClient): void => {
    if (logRequests === 'off' || (logRequests === 'errors' && reply.statusCode < 400)) return
    log.request({
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.rejected && { problem: request.rejected.code }),
      ...(logClients !== 'off' && ip && { ip: written('ip', ip) }),
      ...(logClients !== 'off' && userId && { user: written('user', userId) }),
    })
  }
}
