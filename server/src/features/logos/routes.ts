import { hash } from 'node:crypto'
import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { fileOf } from '../../platform/http/streamed-answer.js'
import { DOCUMENT_HEADERS, documentAnswers, sendDocument } from '../../platform/http/written-document.js'
import { type LogoDeps, readLogo } from './find-logo.js'

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']

const LogoParams = Type.Object({
  id: Type.String({ description: 'ID of a team or application, or `instance`' }),
})

/** A picture that is opened as a page runs no script and loads nothing: an SVG can hold both. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export const logoRoutes = (deps: LogoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/public/logos/:id',
    permission: 'public',
    tag: 'Pages',
    summary: 'The logo of a team, an application or the instance',
    description:
      'Fetched once from its `logoUrl` and kept here until that changes. 404 until it has been fetched: the first request of a new logo starts that.',
    params: LogoParams,
    headers: DOCUMENT_HEADERS,
    responses: documentAnswers(fileOf(MEDIA_TYPES, 'The picture, of at most 256 kB')),
    errors: ['logo_not_found'],
    handle: async ({ params: { id }, http, sent }) => {
      const { content, mediaType } = await readLogo(deps, id)
      http.setHeader('content-security-policy', PICTURE_POLICY)
      // The pages may be served from an origin of their own.
      http.setHeader('cross-origin-resource-policy', 'cross-origin')
      return sendDocument(http, sent, {
        text: content,
        tag: `"${hash('sha256', content, 'base64url')}"`,
        type: mediaType,
      })
    },
  }),
]
