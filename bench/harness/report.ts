import type { Sample } from './measure.js'
import { type Spread, spread } from './rounds.js'

export interface Table {
  columns: string[]
  rows: string[][]
}

export interface Aim {
  what: string
  aim: string
  measured: string
  reached: boolean
}

/** The result of a benchmark. `run.ts` prints the workload, the tables and the aims, and stores everything as JSON. `rounds` contains the individual results. */
export interface Report {
  workload: string
  tables: Table[]
  aims: Aim[]
  rounds: Record<string, unknown>
}

export const number = (value: number): string => {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export const withRange = ({ median, low, high }: Spread): string => `${number(median)} (${number(low)}–${number(high)})`

const optional = (values: (number | null)[]): string =>
  values.every((value) => value !== null) ? number(spread(values).median) : '–'

/** Builds the table of subjects that serve requests: medians over the rounds, with the range of the main column. */
export function loadTable(samples: Map<string, Sample[]>): Table {
  return {
    columns: [
      'subject',
      'µs per request (range)',
      'of which main thread',
      'PostgreSQL µs',
      'requests/s per core',
      'requests/s',
      'p50 ms',
      'p99 ms',
    ],
    rows: [...samples].map(([name, rounds]) => {
      const of = (pick: (sample: Sample) => number) => spread(rounds.map(pick))
      return [
        name,
        withRange(of(({ cpu }) => cpu)),
        optional(rounds.map(({ main }) => main)),
        optional(rounds.map(({ database }) => database)),
        number(1_000_000 / of(({ cpu }) => cpu).median),
        number(of(({ perSecond }) => perSecond).median),
        number(of(({ p50 }) => p50).median),
        number(of(({ p99 }) => p99).median),
      ]
    }),
  }
}

/** Formats a table as Markdown. */
export function formatTable({ columns, rows }: Table): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: string[]) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
