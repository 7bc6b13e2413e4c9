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

/** What a benchmark answers: the tables are for people, `rounds` is for machines. */
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

/** The table of subjects that answer requests; figures are medians over the rounds, with the lowest and highest of the main one. */
export function loadTable(samples: Map<string, Sample[]>): Table {
  return {
    columns: [
      'subject',
      'µs a request (range)',
      'of that main thread',
      'PostgreSQL µs',
      'a second a core',
      'answered a second',
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

/** As Markdown, so that what is printed can be kept. */
export function printTable({ columns, rows }: Table): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? '').length)),
  )
  const line = (cells: string[]) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`
  return [line(columns), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
