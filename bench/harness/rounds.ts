/** A subject of a comparison. One call runs one batch. */
export interface Subject<S> {
  name: string
  batch(): Promise<S>
}

/**
 * Runs the subjects in alternation, so that other load on the machine affects all of them equally. Each round begins with the next
 * subject.
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

/** Prints the progress to a terminal only. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}\r`)
}

/** The distribution of a value over the rounds. */
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

/** Divides the values of two subjects round by round, because both ran under the same conditions in the same minute. */
export const ratio = (values: number[], floor: number[]): Spread =>
  spread(values.map((value, round) => value / (floor[round] ?? Number.NaN)))
