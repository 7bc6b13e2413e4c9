import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import Type, { type TSchema } from 'typebox'

/**
 * An answer of any length that is made while it is sent, as a file: a handler gives it instead of an object, and declares it by
 * `fileOf`. A chunk is made when the one before is on its way, and none when the client has gone (the iterator's `return` is
 * called then). What fails before the first chunk is an ordinary refusal; later the connection breaks, so that a file that is not
 * whole is not taken for one that is.
 */
export class StreamedAnswer {
  constructor(
    readonly file: { mediaType: string; name: string },
    readonly chunks: AsyncIterable<string>,
  ) {}
}

/** The answer schema of a file in one of these media types. */
export const fileOf = (mediaTypes: readonly string[], description: string) =>
  Type.String({ description, contentMediaTypes: mediaTypes })

/** The media types of a declared answer; JSON when it names none. */
export function mediaTypesOf(schema: TSchema): readonly string[] {
  const { contentMediaType, contentMediaTypes } = schema as {
    contentMediaType?: string
    contentMediaTypes?: readonly string[]
  }
  return contentMediaTypes ?? [contentMediaType ?? 'application/json']
}

/** @param name of plain letters, digits, dots and hyphens (RFC 6266 4.1: nothing to be escaped) */
export const sendStream = (reply: FastifyReply, { file, chunks }: StreamedAnswer): FastifyReply =>
  reply
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .type(`${file.mediaType}; charset=utf-8`)
    .send(Readable.from(chunks))
