import { hash } from 'node:crypto'
import Type from 'typebox'
import { defineRoute, type Route } from '../../platform/http/route.js'
import { fileOf } from '../../platform/http/streamed-response.js'
import { DOCUMENT_HEADERS, documentResponses, sendDocument } from '../../platform/http/written-document.js'
import { type LogoDeps, readLogo } from './find-logo.js'

const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml']

const LogoParams = Type.Object({
  id: Type.String({ description: 'ID of a team or application, or `instance`' }),
})

/** Blocks scripts and requests if an image is opened as a page: an SVG can contain both. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export const logoRoutes = (deps: LogoDeps): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/v1/public/logos/:id',
    permission: 'public',
    tag: 'Pages',
    summary: 'Get the logo of a team, an application or the instance',
    description:
      'Fetched once from its `logoUrl` and stored until that changes. Returns 404 until it is fetched; the first request of a new logo starts the fetch.',
    params: LogoParams,
    headers: DOCUMENT_HEADERS,
    responses: documentResponses(fileOf(MEDIA_TYPES, 'The image, of at most 256 kB')),
    errors: ['logo_not_found'],
    handle: async ({ params: { id }, http, sent }) => {
      const { content, mediaType } = await readLogo(deps, id)
      http.setHeader('content-security-policy', PICTURE_POLICY)
      // The pages can have another origin.
      http.setHeader('cross-origin-resource-policy', 'cross-origin')
      return sendDocument(http, sent, {
        text: content,
        tag: `"${hash('sha256', content, 'base64url')}"`,
        type: mediaType,
      })
    },
  }),
]
