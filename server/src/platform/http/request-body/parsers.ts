import type { FastifyInstance } from 'fastify'
import { rejection } from '../../errors.js'
import { STANDARD_BODY, verifyFormSize, verifyJsonSize } from '../body-limits.js'
import type { Dialect } from '../dialect.js'
import { FormBody } from './form-body.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const notUtf8 = () => rejection('invalid_request', { detail: 'The body is not valid UTF-8' })

/** Registers the parsers of JSON, also in the media types of the dialects, and of forms, which are the only accepted bodies. */
export function registerParsers(app: FastifyInstance, dialects: readonly Dialect[]): void {
  acceptJson(
    app,
    dialects.flatMap(({ mediaType }) => mediaType ?? []),
  )
  acceptForms(app)
}

/** Accepts JSON in UTF-8 only (RFC 8259 8.1). An empty body is valid: some clients always send the media type. */
function acceptJson(app: FastifyInstance, own: string[]): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('text/plain')
  app.addContentTypeParser(['application/json', ...own], { parseAs: 'buffer' }, (request, body, done) => {
    const type = request.headers['content-type'] ?? ''
    const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1]
    const isOwn = own.some((mediaType) => type.toLowerCase().startsWith(mediaType))
    if (isOwn && request.routeOptions.config.accepts?.includes('own') === false)
      return done(rejection('unsupported_media_type'))
    if (request.routeOptions.config.accepts?.includes('json') === false)
      return done(rejection('unsupported_media_type', { detail: 'Send the body as application/x-www-form-urlencoded' }))
    if (charset && !/^utf-?8$/i.test(charset))
      return done(rejection('unsupported_media_type', { detail: 'Send JSON in UTF-8' }))
    if (body.length === 0) return done(null, undefined)
    verifyJsonSize(body as Buffer, request.routeOptions.config.body ?? STANDARD_BODY)
    let json: string
    try {
      json = utf8.decode(body as Buffer)
    } catch {
      return done(notUtf8())
    }
    return parseJson(request, json, done)
  })
}

/** Accepts forms only on routes that declare them: a page of another site can send a form without a CORS preflight. */
function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, (request, body, done) => {
    if (!request.routeOptions.config.accepts?.includes('form')) return done(rejection('unsupported_media_type'))
    verifyFormSize(body as Buffer)
    try {
      return done(null, new FormBody(utf8.decode(body as Buffer)))
    } catch {
      return done(notUtf8())
    }
  })
}
