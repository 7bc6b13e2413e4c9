/** Something to compare: one call runs one batch of it. */
export interface Subject<S> {
  name: string
  batch(): Promise<S>
}

/**
 * Runs the subjects in turn, round after round, so that whatever else the machine does meets all of them alike; each round
 * begins with another one.
 */
export async function interleave<S>(subjects: Subject<S>[], rounds: number): Promise<Map<string, S[]>> {
  const samples = new Map<string, S[]>(subjects.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(round + turn) % subjects.length]
      if (!subject) continue
      samples.get(subject.name)?.push(await subject.batch())
      progress(`round ${round + 1} of ${rounds}: ${subject.name}`)
    }
  }
  progress('')
  return samples
}

/** For somebody who watches: in a file it would only be in the way. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}\r`)
}

/** A figure over the rounds. */
export interface Spread {
  median: number
  low: number
  high: number
}

export function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const at = (index: number) => sorted[index] ?? Number.NaN
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
  return { median, low: at(0), high: at(sorted.length - 1) }
}

/** One subject in terms of another, round by round: both met the same machine in the same minute. */
export const ratio = (values: number[], floor: number[]): Spread =>
  spread(values.map((value, round) => value / (floor[round] ?? Number.NaN)))
