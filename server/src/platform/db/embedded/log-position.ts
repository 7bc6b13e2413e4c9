/**
 * Positions in the write-ahead log of PostgreSQL (`LSN`): the byte offset since the log began. The format of its files is that of
 * PostgreSQL's `xlog_internal.h` and `xlogrecord.h`.
 */

/** Bytes of a file (segment) of the log: 1 MiB instead of 16 MiB, for smaller installations. Cannot be changed after initdb. */
export const SEGMENT_BYTES = 2 ** 20
const PAGE_BYTES = 8_192
const SEGMENTS_PER_LOG_ID = 2 ** 32 / SEGMENT_BYTES

/** Returns the position at which a segment begins, by its file name; undefined for another file. */
export function positionOfSegment(name: string): number | undefined {
  const [, logId, segment] = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? []
  if (logId === undefined || segment === undefined) return undefined
  return (Number.parseInt(logId, 16) * SEGMENTS_PER_LOG_ID + Number.parseInt(segment, 16)) * SEGMENT_BYTES
}

/** Returns a position as PostgreSQL prints it, with leading zeros. */
export const formatPosition = (position: number): string =>
  [Math.trunc(position / 2 ** 32), position % 2 ** 32]
    .map((half) => half.toString(16).toUpperCase().padStart(8, '0'))
    .join('/')

/** Returns the position that PostgreSQL or `formatPosition` printed; undefined for another text. */
export function parsePosition(text: string): number | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/.exec(text) ?? []
  if (high === undefined || low === undefined) return undefined
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

const HEADER_BYTES = 24
/** The header of the first page of a segment. */
const LONG_HEADER_BYTES = 40
const BEGINS_WITH_REST_OF_RECORD = 0x0001
const HAS_LONG_HEADER = 0x0002
const ALIGNMENT = 8
const align = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT

/**
 * Returns the offset after the last complete record in pages that PostgreSQL writes to the log; undefined if none ends there. PostgreSQL
 * writes whole pages, so the last one can end with an incomplete record, or with zeros. Only pages at the end are read, so it takes
 * microseconds.
 */
export function endOfLastRecord(pages: DataView): number | undefined {
  for (let start = pages.byteLength - PAGE_BYTES; start >= 0; start -= PAGE_BYTES) {
    const end = endInPage(new DataView(pages.buffer, pages.byteOffset + start, PAGE_BYTES))
    if (end !== undefined) return start + end
  }
  return undefined
}

/** `XLogPageHeaderData`: flags at 2, remaining bytes of a record from the previous page at 16. A record begins with its length. */
function endInPage(page: DataView): number | undefined {
  const flags = page.getUint16(2, true)
  let offset = flags & HAS_LONG_HEADER ? LONG_HEADER_BYTES : HEADER_BYTES
  let end: number | undefined
  if (flags & BEGINS_WITH_REST_OF_RECORD) {
    offset = align(offset + page.getUint32(16, true))
    if (offset > PAGE_BYTES) return undefined
    end = offset
  }
  while (offset < PAGE_BYTES) {
    const length = page.getUint32(offset, true)
    if (length === 0 || offset + length > PAGE_BYTES) break
    offset = align(offset + length)
    end = offset
  }
  return end
}
