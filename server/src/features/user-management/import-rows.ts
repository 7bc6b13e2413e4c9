import { CsvError, parse } from 'csv-parse/sync'
import { rejection } from '../../platform/errors.js'
import { readEmail } from '../users/index.js'

/** People in one list. It is read at once, and more would stop the event loop for longer than a tenth of a second. */
const MOST_LINES = 20_000
/** Characters of one line. */
const LONGEST_LINE = 65_536
/** Commas of one line: cells may contain some, but a header of 400,000 columns would stop the event loop. */
const MOST_COMMAS = 10_000

/** What a list may say of each person. */
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

/** One line of a list: what stands in its cells; an empty cell says nothing and is left out. */
export type ImportRow = { line: string } & Partial<Record<Column, string>>

/**
 * Reads a list (RFC 4180; UTF-8, with or without a byte order mark): a header with names of columns in whatever order and case,
 * then one line for each person. White space around a cell does not count.
 * @throws invalid_request naming what is wrong: an unknown, doubled or missing column, a line with too many cells, no line at all
 */
export function readImportRows(csv: string): ImportRow[] {
  rejectExcess(csv)
  const [header, ...lines] = readLines(csv)
  const columns = readHeader(header?.record ?? [])
  if (lines.length === 0) throw reject('there is no line below the header')
  if (lines.length > MOST_LINES) throw tooManyLines()
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

/** One spelling of the email address of a row; a malformed one stays as it is and is rejected when the row is worked on. */
export const emailOf = ({ email = '' }: ImportRow): string => readEmail(email) ?? email

/** Refuses what would be expensive to split: one pass, before anything is. A cell may contain line breaks, so there may be twice as many. */
function rejectExcess(csv: string): void {
  let commas = 0
  let lines = 0
  for (let at = 0; at < csv.length; at++) {
    const code = csv.charCodeAt(at)
    if (code === 0x2c && ++commas > MOST_COMMAS) throw reject(`a line has more than ${withCommas(MOST_COMMAS)} commas`)
    if (code === 0x0a || code === 0x0d) {
      commas = 0
      // CR LF is one.
      if ((code === 0x0a || csv.charCodeAt(at + 1) !== 0x0a) && ++lines > 2 * MOST_LINES) throw tooManyLines()
    }
  }
}

const withCommas = (number: number): string => number.toLocaleString('en-US')
const tooManyLines = () => reject(`it has more than ${withCommas(MOST_LINES)} lines; send it in parts`)

/** Each line that is not empty, with the number of the line on which it ends. */
function readLines(csv: string): { record: string[]; info: { lines: number } }[] {
  try {
    const options = {
      bom: true,
      info: true,
      max_record_size: LONGEST_LINE,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    } as const
    return parse(csv, options) as unknown as { record: string[]; info: { lines: number } }[]
  } catch (error) {
    if (error instanceof CsvError) throw reject(`it is no CSV: ${error.message}`)
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
  if (doubled) throw reject(`the column ${doubled} is there twice`)
  if (!columns.includes('email')) throw reject('the column email is missing')
  return columns
}

const reject = (message: string) =>
  rejection('invalid_request', {
    detail: `The list cannot be read: ${message}`,
    errors: [{ path: '/csv', message }],
  })
