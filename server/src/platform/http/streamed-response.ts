import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import Type, { type TSchema } from 'typebox'

/**
 * A file that is generated while it is sent. A handler returns it instead of an object, and declares it with `fileOf`. Chunks are
 * requested one at a time; when the client disconnects, the iterator's `return` is called. An error before the first chunk becomes
 * an error response; a later one closes the connection, so that the client does not mistake a partial file for a complete one.
 */
export class StreamedResponse {
  constructor(
    readonly file: { mediaType: string; name: string },
    readonly chunks: AsyncIterable<string>,
  ) {}
}

/** Returns the response schema of a file in one of these media types. */
export const fileOf = (mediaTypes: readonly string[], description: string) =>
  Type.String({ description, contentMediaTypes: mediaTypes })

/** Returns the media types of a declared response; default: JSON. */
export function mediaTypesOf(schema: TSchema): readonly string[] {
  const { contentMediaType, contentMediaTypes } = schema as {
    contentMediaType?: string
    contentMediaTypes?: readonly string[]
  }
  return contentMediaTypes ?? [contentMediaType ?? 'application/json']
}

/** The file name must consist of letters, digits, dots and hyphens, which need no escaping (RFC 6266 4.1). */
export const sendStream = (reply: FastifyReply, { file, chunks }: StreamedResponse): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .type(`${file.mediaType}; charset=utf-8`)
    .send(Readable.from(chunks))
