import { isObject } from '../archive/format.js'
import { InvalidFile } from './invalid-file.js'

/** A line of a file, which is an object in JSON. */
export interface Line {
  /** From 1. */
  number: number
  value: Record<string, unknown>
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The maximum length of a line in bytes, which bounds the memory. */
const MAX_LINE = 4 * 1_024 * 1_024

/**
 * Reads NDJSON from untrusted bytes, one line at a time.
 * @throws InvalidFile `malformed` or `truncated`
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void> {
  let number = 1
  let parts: Uint8Array[] = []
  let length = 0
  const append = (part: Uint8Array) => {
    parts.push(part)
    length += part.length
    if (length > MAX_LINE)
      throw new InvalidFile('malformed', `The line is longer than ${MAX_LINE / 1_024 / 1_024} MiB.`, { line: number })
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      append(chunk.subarray(start, end))
      yield { number, value: parseLine(Buffer.concat(parts), number) }
      number++
      parts = []
      length = 0
      start = end + 1
    }
    append(chunk.subarray(start))
  }
  if (length > 0) throw new InvalidFile('truncated', 'The file ends within a line.', { line: number })
}

/**
 * Parses a line. Accepts only the spelling that the export writes: of two members with the same name, JSON parsers accept either one, so a
 * reader could see another value than the verified one.
 */
function parseLine(bytes: Buffer, line: number): Record<string, unknown> {
  try {
    const text = UTF_8.decode(bytes)
    const value: unknown = JSON.parse(text)
    if (isObject(value) && JSON.stringify(value) === text) return value
  } catch (error) {
    // Also a RangeError, for values that are nested too deeply.
    if (!(error instanceof Error)) throw error
  }
  throw new InvalidFile('malformed', 'The line is not a JSON object as the export writes it.', { line })
}
