import type { FastifyBodyParser, FastifyInstance } from 'fastify'
import { rejection } from '../../errors.js'
import { STANDARD_BODY, verifyFormSize, verifyJsonSize } from '../body-limits.js'
import type { Dialect } from '../dialect.js'
import { FormBody } from './form-body.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const notUtf8 = () => rejection('invalid_request', { detail: 'The body is not valid UTF-8' })

/**
 * Registers the parsers of JSON, also in the media types of the dialects, and of forms, which are the only accepted bodies. An empty
 * body is accepted in any media type, because some clients send the header with every request.
 */
export function registerParsers(app: FastifyInstance, dialects: readonly Dialect[]): void {
  const own = dialects.flatMap(({ mediaType }) => mediaType ?? [])
  app.removeContentTypeParser('text/plain')
  accept(app, ['application/json', ...own], parseJson(app, own))
  accept(app, 'application/x-www-form-urlencoded', parseForm)
  accept(app, '*', (_request, _body, done) => done(rejection('unsupported_media_type')))
  // The framework rejects a malformed media type before it reads the body. Without one, the parser of `*` decides.
  app.addHook('onRequest', async (request) => {
    const { headers } = request.raw
    if (headers['content-type'] !== undefined && request.mediaType === undefined) delete headers['content-type']
  })
}

/** Registers a parser of these media types for bodies that are not empty. The body of a chunked request can be empty as well. */
const accept = (app: FastifyInstance, types: string | string[], parse: FastifyBodyParser<Buffer>): void => {
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, body, done) =>
    body.length === 0 ? done(null, undefined) : parse(request, body, done),
  )
}

/** Parses JSON in UTF-8 only (RFC 8259 8.1). */
function parseJson(app: FastifyInstance, own: string[]): FastifyBodyParser<Buffer> {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (request, body, done) => {
    const type = request.headers['content-type'] ?? ''
    const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]
    const isOwn = own.some((mediaType) => type.toLowerCase().startsWith(mediaType))
    if (isOwn && request.routeOptions.config.accepts?.includes('own') === false)
      return done(rejection('unsupported_media_type'))
    if (request.routeOptions.config.accepts?.includes('json') === false)
      return done(rejection('unsupported_media_type', { detail: 'Send the body as application/x-www-form-urlencoded' }))
    if (charset && !/^utf-?8$/i.test(charset))
      return done(rejection('unsupported_media_type', { detail: 'Send JSON in UTF-8' }))
    verifyJsonSize(body, request.routeOptions.config.body ?? STANDARD_BODY)
    let json: string
    try {
      json = utf8.decode(body)
    } catch {
      return done(notUtf8())
    }
    return parse(request, json, done)
  }
}

/** Parses forms only on routes that declare them: a page of another site can send a form without a CORS preflight. */
const parseForm: FastifyBodyParser<Buffer> = (request, body, done) => {
  if (!request.routeOptions.config.accepts?.includes('form')) return done(rejection('unsupported_media_type'))
  verifyFormSize(body)
  try {
    return done(null, new FormBody(utf8.decode(body)))
  } catch {
    return done(notUtf8())
  }
}
