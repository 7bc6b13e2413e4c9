import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { ErrorTable } from '../app-error.js'
import type { Config } from '../config/config.js'
import { retryLater } from '../errors.js'
import { sourceOf } from '../throttle/throttle.js'
import type { Actor, ScimActor } from './actor.js'
import { type AuthenticationDeps, authenticateRequest, identifyCaller } from './authenticate-request.js'
import { LARGE_BODY, STANDARD_BODY } from './body-limits.js'
import { checkRoute, collectErrorCodes } from './check-routes.js'
import { addressOf } from './client-address.js'
import type { Dialect } from './dialect.js'
import { httpExchange } from './http-exchange.js'
import { originOf } from './http-server.js'
import { documentRoute, type ImpliedErrorCodes, successResponses } from './openapi/document-route.js'
import { referenceNamedSchemas } from './openapi/named-schemas.js'
import { problemDialect } from './problem.js'
import { FormBody } from './request-body/form-body.js'
import { rejectUnsafeStrings } from './request-body/unsafe-strings.js'
import type { Route, RouteContext, SentRequest } from './route.js'
import { StreamedResponse, sendStream } from './streamed-response.js'

export interface RouteDeps extends AuthenticationDeps {
  config: Config
  /** The dialects of the modules. */
  dialects: readonly Dialect[]
  /** Runs the handler of a request that writes. Each of its transactions first verifies that the caller's access is still active. */
  withActiveCaller: <T>(
    actor: Actor | ScimActor,
    route: { endsSessions: boolean },
    handler: () => Promise<T>,
  ) => Promise<T>
  knowsPermission: (permission: string) => boolean
  /** The error codes of all modules: a route can declare no others. */
  errorTables: ErrorTable[]
  impliedErrorCodes: ImpliedErrorCodes
}

const WRITING: string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Registers the routes on the server.
 * @throws Error at startup if a route declares no permission or no response, names an unknown permission or error code, or has a
 * path parameter that it does not describe
 */
export function registerRoutes(app: FastifyInstance, routes: Route[], deps: RouteDeps): void {
  const codes = collectErrorCodes(deps.errorTables)
  const refer = referenceNamedSchemas(app)
  const largeBodies = createLargeBodies()
  const origin = { frontendOrigin: new URL(deps.config.frontendUrl).origin, secure: deps.config.secure }

  const dialects = new Map([problemDialect(deps.config), ...deps.dialects].map((dialect) => [dialect.name, dialect]))

  for (const route of routes) {
    const dialect = dialects.get(route.dialect ?? 'problem')
    if (!dialect) throw new Error(`${route.method} ${route.path} has the unknown dialect ${route.dialect}`)
    const { authentication } = dialect
    checkRoute(route, dialect, codes, deps.knowsPermission)
    const isPublic = route.permission === 'public'
    const success = Number(Object.keys(route.responses)[0])
    const limit = route.bodyLimit ?? STANDARD_BODY
    // All schemas must be registered at startup, although the OpenAPI document is built on its first request.
    refer(dialect.problem)

    const options: RouteShorthandOptions = {
      config: {
        template: route.path.replace(/\([^)]*\)/g, ''),
        documentation: () => documentRoute(route, dialect, refer, codes, deps.impliedErrorCodes),
        dialect,
        accepts: route.accepts ?? ['json'],
        body: limit,
        // Routes that redirect are those to which browsers navigate.
        isNavigation: route.isNavigation ?? ('302' in route.responses || '303' in route.responses),
      },
      bodyLimit: limit.bytes,
      ...(route.isValidatedByEngine && { validatorCompiler: () => (value: unknown) => ({ value }) }),
      // Only the parts that the framework uses; `documentation` has the rest.
      schema: {
        ...(route.params && { params: route.params }),
        ...(route.query && { querystring: route.query }),
        ...(route.body && { body: route.body }),
        response: successResponses(route, dialect, refer),
      },
      onRequest: async (request) => {
        if (!isPublic) await authenticateRequest(request, route, dialect, deps)
        else if (limit === LARGE_BODY) largeBodies.admit(request)
      },
      ...(authentication && {
        onResponse: async ({ actor, method, url, rejected }, { statusCode: status }) => {
          if (actor?.via === 'scim-token') authentication.onResponse(actor, { method, url, status, error: rejected })
        },
      }),
      preValidation: async (request) => {
        rejectUnsafeStrings(request.query, 'query')
        if (route.isValidatedByEngine && request.body instanceof FormBody)
          rejectUnsafeStrings(request.body.entries, 'body')
        if (!route.body || route.isValidatedByEngine) return
        if (request.body instanceof FormBody) request.body = request.body.values
        // A missing body is treated as an empty object, so that the error names the missing fields.
        if (request.body === undefined) request.body = {}
        rejectUnsafeStrings(request.body, 'body')
      },
    }

    app.route({
      ...options,
      method: route.method,
      url: route.path,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        reply.code(success)
        const http = httpExchange(request, reply, origin)
        const signedIn = async () => {
          // The identity of the caller does not depend on the team of the request.
          if (request.headers.authorization === undefined) return undefined
          const caller = await identifyCaller(request, route, deps, { inTeam: false })
          if (caller.via !== 'session') return undefined
          request.actor = caller
          return caller
        }
        const { actor, params, query, body } = request
        const sent = sentRequest(request)
        const context = { actor, params, query, body, sent, origin: originOf(request), http, signedIn }
        const handle = async () => route.handle(context as RouteContext<never, never, never, never>)
        const isGuarded = !isPublic && actor && WRITING.includes(route.method)
        const result = isGuarded
          ? await deps.withActiveCaller(actor, { endsSessions: route.endsSessions ?? false }, handle)
          : await handle()
        if (result instanceof StreamedResponse) return sendStream(reply, result)
        if (dialect.responseType && result !== undefined)
          return reply
            .type(`${dialect.responseType(request.headers.accept)}; charset=utf-8`)
            .serializer((resource: unknown) => JSON.stringify(resource))
            .send(result)
        return reply.sent ? reply : reply.send(result)
      },
    })
  }
}

const sentRequest = (request: FastifyRequest): SentRequest => ({
  method: request.method,
  queryString: request.url.split('?').slice(1).join('?'),
  body: request.body instanceof FormBody ? request.body.text : '',
  header: (name) => [request.headers[name]].flat()[0],
})

/** Concurrent bodies of more than 64 kB that a node receives from unauthenticated clients. */
const MAX_LARGE_BODIES = 32
/** Those of one source: its slow clients must not prevent the sign-ins of all teams. */
const MAX_LARGE_BODIES_OF_SOURCE = 4

/**
 * Bounds the memory that slow clients can occupy on public routes with a large limit, such as those of SAML. Bodies within the
 * standard limit are not counted.
 */
function createLargeBodies(): { admit(request: FastifyRequest): void } {
  let receiving = 0
  const ofSources = new Map<string, number>()
  return {
    /** @throws unavailable */
    admit(request) {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      if (encoding === undefined && Number(length ?? 0) <= STANDARD_BODY.bytes) return
      const source = sourceOf(addressOf(request))
      const ofSource = () => ofSources.get(source) ?? 0
      if (receiving >= MAX_LARGE_BODIES || ofSource() >= MAX_LARGE_BODIES_OF_SOURCE)
        throw retryLater('unavailable', 1, new Error('Too many large bodies are received'))
      receiving++
      ofSources.set(source, ofSource() + 1)
      request.raw.once('close', () => {
        receiving--
        if (ofSource() > 1) ofSources.set(source, ofSource() - 1)
        else ofSources.delete(source)
      })
    },
  }
}
