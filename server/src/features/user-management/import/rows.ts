import { CsvError, parse } from 'csv-parse/sync'
import { rejection } from '../../../platform/errors.js'
import { readEmail } from '../../users/index.js'

/** The file is parsed synchronously: more would block the event loop for longer than 100 ms. */
const MAX_LINES = 20_000
/** Characters. */
const MAX_LINE_LENGTH = 65_536
/** In one line. Cells may contain some, but a header of 400,000 columns would block the event loop. */
const MAX_COMMAS = 10_000

export const IMPORT_COLUMNS = [
  'email',
  'firstName',
  'lastName',
  'role',
  'department',
  'title',
  'phone',
  'locale',
  'groups',
] as const

type Column = (typeof IMPORT_COLUMNS)[number]

/** One line of the file; empty cells are left out. */
export type ImportRow = { line: string } & Partial<Record<Column, string>>

/**
 * Parses a CSV file (RFC 4180; UTF-8, with or without a byte order mark): a header with column names in any order and case, then one line
 * for each user. White space around cells is ignored.
 * @throws invalid_request for an unknown, duplicate or missing column, a line with too many cells, or no line at all
 */
export function readImportRows(csv: string): ImportRow[] {
  rejectExcess(csv)
  const [header, ...lines] = readLines(csv)
  const columns = readHeader(header?.record ?? [])
  if (lines.length === 0) throw reject('there is no line below the header')
  if (lines.length > MAX_LINES) throw tooManyLines()
  return lines.map(({ record, info }) => {
    if (record.length > columns.length)
      throw reject(`line ${info.lines} has ${record.length} cells, the header ${columns.length}`)
    const row: ImportRow = { line: String(info.lines) }
    columns.forEach((column, place) => {
      if (record[place]) row[column] = record[place]
    })
    return row
  })
}

/** Returns the normalized email address of a row. A malformed one is returned as it is and rejected when the row is processed. */
export const emailOf = ({ email = '' }: ImportRow): string => readEmail(email) ?? email

/** Rejects input that is expensive to split, in one pass before parsing. Cells may contain line breaks, so the limit is doubled. */
function rejectExcess(csv: string): void {
  let commas = 0
  let lines = 0
  for (let at = 0; at < csv.length; at++) {
    const code = csv.charCodeAt(at)
    if (code === 0x2c && ++commas > MAX_COMMAS) throw reject(`a line has more than ${withCommas(MAX_COMMAS)} commas`)
    if (code === 0x0a || code === 0x0d) {
      commas = 0
      // CR LF counts once.
      if ((code === 0x0a || csv.charCodeAt(at + 1) !== 0x0a) && ++lines > 2 * MAX_LINES) throw tooManyLines()
    }
  }
}

const withCommas = (number: number): string => number.toLocaleString('en-US')
const tooManyLines = () => reject(`it has more than ${withCommas(MAX_LINES)} lines; split it into several files`)

/** Returns the non-empty lines, each with the number of its last line in the file. */
function readLines(csv: string): { record: string[]; info: { lines: number } }[] {
  try {
    const options = {
      bom: true,
      info: true,
      max_record_size: MAX_LINE_LENGTH,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    } as const
    return parse(csv, options) as unknown as { record: string[]; info: { lines: number } }[]
  } catch (error) {
    if (error instanceof CsvError) throw reject(`it is not valid CSV: ${error.message}`)
    throw error
  }
}

function readHeader(names: string[]): Column[] {
  const columns = names.map((name) => {
    const column = IMPORT_COLUMNS.find((known) => known.toLowerCase() === name.toLowerCase())
    if (!column)
      throw reject(`the column ${JSON.stringify(name.slice(0, 100))} is unknown: ${IMPORT_COLUMNS.join(', ')}`)
    return column
  })
  const doubled = columns.find((column, place) => columns.indexOf(column) !== place)
  if (doubled) throw reject(`the column ${doubled} occurs twice`)
  if (!columns.includes('email')) throw reject('the column email is missing')
  return columns
}

const reject = (message: string) =>
  rejection('invalid_request', {
    detail: `The file cannot be read: ${message}`,
    errors: [{ path: '/csv', message }],
  })
