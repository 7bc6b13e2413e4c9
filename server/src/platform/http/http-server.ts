import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { AppError } from '../app-error.js'
import { type Clock, SECOND } from '../clock.js'
import type { Config } from '../config/config.js'
import type { KeyRing } from '../crypto/key-ring.js'
import { uuidv7 } from '../crypto/random.js'
import { rejection } from '../errors.js'
import type { Logger } from '../log.js'
import type { Metrics } from '../metrics/metrics.js'
import { sourceOf } from '../throttle/throttle.js'
import type { Actor, RequestOrigin, ScimActor } from './actor.js'
import { type BodyLimit, LARGE_BODY, STANDARD_BODY } from './body-limits.js'
import { addressOf, trustedProxies } from './client-address.js'
import { type Dialect, sendError } from './dialect.js'
import { lazySerializers } from './lazy-serializers.js'
import { acceptsHtml, failurePage, type MessagePage } from './message-page.js'
import { CHAPTERS } from './openapi/chapters.js'
import { createSchemaBucket } from './openapi/named-schemas.js'
import { asAppError, problemBytes, problemDialect } from './problem.js'
import { createRejectedLoadLog, isRejectedLoad } from './rejected-load.js'
import { discardBody, hasBody } from './request-body/discard-body.js'
import { registerParsers } from './request-body/parsers.js'
import { createRejectedBodies } from './request-body/rejected-bodies.js'
import { createRequestLog } from './request-log.js'
import type { BodyType } from './route.js'
import { securityHeaders } from './security-headers.js'
import { createValidatorCompiler } from './validation.js'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | ScimActor | undefined
    /** The error that rejected the request. */
    rejected: AppError | undefined
  }
  interface FastifyContextConfig {
    /** The template of the path, for the metrics: never a path with IDs. */
    template?: string
    /** Returns the route's part of the OpenAPI document. */
    documentation?: () => Record<string, unknown>
    /** The format of errors. */
    dialect?: Dialect
    /** The media types of the body. */
    accepts?: readonly BodyType[]
    /** The limit of the body. */
    body?: BodyLimit
    /** Browsers navigate to the route: errors are pages for clients that accept HTML. */
    isNavigation?: boolean
  }
}

/** The caller of a request that was denied: an actor, or a user who was denied access to a team. */
export type DeniedCaller = Pick<Actor | ScimActor, 'userId' | 'teamId' | 'origin'>

export interface HttpDeps {
  config: Config
  clock: Clock
  log: Logger
  metrics: Metrics
  keys: Pick<KeyRing, 'current'>
  /** Called for each 403 before it is sent: records the audit entry of the denial. */
  onDenied: (caller: DeniedCaller | undefined, error: AppError, request: FastifyRequest) => Promise<void>
  version: string
  /** The dialects of the modules. */
  dialects: readonly Dialect[]
  /** Whether the node will stop soon: connections close with their next response. */
  isDraining: () => boolean
}

export const originOf = (request: FastifyRequest): RequestOrigin => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent']?.slice(0, 512).toWellFormed().replaceAll('\0', '') ?? null,
  requestId: request.id,
  ...(request.actor?.via === 'api-token' && { apiTokenId: request.actor.apiTokenId }),
  ...(request.actor?.via === 'scim-token' && { scimTokenId: request.actor.scimTokenId }),
})

/** Creates the web server with everything that applies to all routes, and without routes. */
export async function createHttpServer(deps: HttpDeps): Promise<FastifyInstance> {
  const { config, clock, log, metrics } = deps
  const problem = problemDialect(config)
  const requestTimeout = config.requestTimeoutSeconds * SECOND
  const app = Fastify({
    bodyLimit: STANDARD_BODY.bytes,
    trustProxy: trustedProxies(config),
    genReqId: () => uuidv7<string>(clock),
    logger: false,
    schemaController: { bucket: createSchemaBucket(), compilersFactory: { buildSerializer: lazySerializers() } },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the server stops is served like those in flight.
    return503OnClosing: false,
    requestTimeout,
    connectionTimeout: Math.max(60 * SECOND, 2 * requestTimeout),
    // Node swaps the two timeouts if the one of the headers (default 60 s) is longer than that of the request.
    http: { connectionsCheckingInterval: SECOND, headersTimeout: requestTimeout },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 4_096 },
    clientErrorHandler: (error, socket) => {
      if (socket.writable && error.code !== 'ECONNRESET')
        socket.write(problemBytes(error, uuidv7<string>(clock), headers, config))
      socket.destroy(error)
    },
    frameworkErrors: (thrown, request, reply) => {
      const error = asAppError(thrown)
      if (error.status >= 500)
        log.error({ requestId: request.id, problem: error.code, err: thrown }, 'a request failed before its route')
      reject(request, reply.headers({ ...headers, 'x-request-id': request.id }), error)
    },
  })
  const headers = securityHeaders(config)

  /** Sends an error in the dialect of its route, or of its URL if no route matches. */
  function reject(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
    request.rejected = error
    const ofUrl = () => deps.dialects.find(({ root }) => root !== undefined && request.url.startsWith(root))
    return sendError(request.routeOptions.config.dialect ?? ofUrl() ?? problem, request, reply, error)
  }

  app.setValidatorCompiler(createValidatorCompiler())
  app.decorateRequest('actor', undefined)
  app.decorateRequest('rejected', undefined)
  registerParsers(app, deps.dialects)

  await app.register(cookie)
  const frontendOrigin = new URL(config.frontendUrl).origin
  if (frontendOrigin !== new URL(config.baseUrl).origin) await allowOrigin(app, frontendOrigin)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Keyward',
        version: deps.version,
        description: 'Multi-tenant identity and access management.',
        license: { name: 'Apache-2.0' },
      },
      tags: CHAPTERS.map((name) => ({ name })),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a session, or an API token' },
          apiToken: { type: 'apiKey', in: 'header', name: 'x-api-token', description: 'An API token of a team' },
          ...Object.fromEntries(deps.dialects.flatMap(securitySchemeOf)),
        },
      },
    },
    transform: ({ schema, url, route }) => ({ url, schema: route.config?.documentation?.() ?? schema }),
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, index) => String(json.$id ?? `schema-${index}`) },
  })

  const rejectedBodies = createRejectedBodies(clock, config.limits.rejectedBodies)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    if (hasTwoHosts(request.raw.rawHeaders))
      throw rejection('invalid_request', { detail: 'The request has more than one Host header' })
    const sendsBody = hasBody(request.raw)
    if (sendsBody) rejectedBodies.admit(() => sourceOf(addressOf(request)))
    // Otherwise the framework would first read the body, or reject the media type of an empty one.
    if (request.is404 && (sendsBody || request.headers['content-type'] !== undefined)) throw rejection('not_found')
  })

  // While the server stops, a connection must not stay open for another request after its response.
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', async (request, reply) => {
    if (stopping || deps.isDraining()) reply.header('connection', 'close')
    else if (!request.raw.complete && hasBody(request.raw)) {
      // The framework requests a close of the connection, which can reach the client before it has read the response.
      reply.removeHeader('connection')
      const most = reply.statusCode === 429 ? STANDARD_BODY.bytes : 4 * LARGE_BODY.bytes
      discardBody(request.raw, most, () => stopping)
    }
  })

  const logRequest = createRequestLog(deps)
  const rejectedLoad = createRejectedLoadLog(log)
  app.addHook('onClose', async () => rejectedLoad.flush())
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.config.template ?? 'unknown'
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime)
    if (request.rejected && isRejectedLoad(request.rejected)) return rejectedLoad.count(request.rejected)
    const userId = (request.actor ?? request.rejected?.caller)?.userId
    logRequest(request, reply, route, { ip: addressOf(request), userId })
  })

  app.setErrorHandler(async (thrown, request, reply) => {
    let error = asAppError(thrown)
    if (request.body === undefined && REJECTS_BODY.has(error.status) && hasBody(request.raw))
      rejectedBodies.count(sourceOf(addressOf(request)))
    const caller = request.actor ?? error.caller
    const apiTokenId = request.actor ? undefined : error.caller?.apiTokenId
    if (error.status === 403 && !error.recorded) {
      // A denial that cannot be recorded becomes the error of the recording: the audit entry is part of the denial.
      await deps
        .onDenied(
          caller && { ...caller, origin: { ...originOf(request), ...(apiTokenId && { apiTokenId }) } },
          error,
          request,
        )
        .catch((failure: unknown) => {
          error = asAppError(failure)
        })
    }
    // 501 is not a failure.
    if (error.status >= 500 && error.status !== 501 && !isRejectedLoad(error))
      log.error({ requestId: request.id, problem: error.code, err: error.cause ?? thrown }, 'a request failed')
    request.rejected = error
    const isBrowser = request.routeOptions.config.isNavigation && acceptsHtml(request.headers.accept)
    const page = error.page ?? (isBrowser ? failurePage(error, request.id) : undefined)
    if (page) return sendPage(reply, error, page)
    return reject(request, reply, error)
  })

  app.setNotFoundHandler((request, reply) => reject(request, reply, rejection('not_found')))
  return app
}

/** Returns the entry of a dialect's credentials in the OpenAPI document. */
const securitySchemeOf = ({ authentication }: Dialect) =>
  authentication
    ? [[authentication.scheme, { type: 'http', scheme: 'bearer', description: authentication.description }] as const]
    : []

/** Returns whether the request has more than one Host header (RFC 9112 3.2); Node exposes only the first one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Statuses of requests that were rejected because of their body, or whose body is not read. */
const REJECTS_BODY = new Set([400, 404, 413, 415])

/** Sends an error as a page. */
const sendPage = (reply: FastifyReply, { status, headers }: AppError, { html, policy }: MessagePage) =>
  reply
    .code(status)
    .headers({ ...headers, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .serializer((body: unknown) => String(body))
    .send(html)

/** Allows CORS requests from the pages of FRONTEND_URL, if they have another origin than the API. */
async function allowOrigin(app: FastifyInstance, frontendOrigin: string): Promise<void> {
  const allowed = {
    origin: frontendOrigin,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'if-match', 'x-org-id', 'x-keyward-console', 'x-setup-secret'],
    exposedHeaders: ['etag'],
    maxAge: 600,
  }
  await app.register(cors, () => (request: FastifyRequest, done: (error: null, options: object) => void) => {
    const isSetByRoute = request.routeOptions.config.dialect?.setsCors && request.headers.origin !== frontendOrigin
    done(null, isSetByRoute ? { origin: false } : allowed)
  })
}
