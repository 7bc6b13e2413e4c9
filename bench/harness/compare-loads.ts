import type { Settings } from './benchmark.js'
import { type Load, measureLoad, type Sample } from './measure.js'
import { profile } from './profile.js'
import { interleave, type Subject } from './rounds.js'

/** A subject that serves requests, or one that measures itself. */
export type Contender = { name: string; load: Load } | { name: string; batch: (seconds: number) => Promise<Sample> }

/** Warms up each contender, then compares them in interleaved rounds. Optionally profiles those that serve requests. */
export async function compareLoads(contenders: Contender[], settings: Settings): Promise<Map<string, Sample[]>> {
  const { rounds, seconds, profiles } = settings
  const run = (contender: Contender, time: number) =>
    'load' in contender ? measureLoad(contender.load, time) : contender.batch(time)
  // Until the hot paths are compiled, the results measure the compiler.
  for (const contender of contenders) {
    const enough = ('load' in contender && contender.load.warmUp) || 0
    for (let completed = 0; ; ) {
      // In short batches, most samples would be of the time between the batches.
      completed += (await run(contender, Math.max(1.5 * seconds, enough / 1_000))).count
      if (completed >= enough) break
    }
  }
  const subjects = contenders.map(
    (contender): Subject<Sample> => ({ name: contender.name, batch: () => run(contender, seconds) }),
  )
  const samples = await interleave(subjects, rounds)
  for (const contender of profiles ? contenders : []) {
    if (!profiles || !('load' in contender)) continue
    let requests = 0
    const lines = await profile(contender.load.child, contender.name, profiles, async () => {
      requests = (await measureLoad(contender.load, 3 * seconds)).count
    })
    console.log(`\nMain thread of ${contender.name}, ${requests} requests:\n${lines.join('\n')}`)
  }
  return samples
}
