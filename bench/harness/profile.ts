import { mkdirSync, writeFileSync } from 'node:fs'
import type { Child } from './child.js'

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
}
interface Profile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

/** Samples are due every 200 µs. A much later sample shows where the thread was suspended, not where it spent processor time. */
const LATE_MICROS = 400

/**
 * Records a processor profile of the child's main thread while `work` runs, and writes it to a file for the developer tools of browsers.
 * Returns the share of the busy time for each package, or for each file of the service.
 */
export async function profile(
  child: Child,
  name: string,
  folder: URL,
  work: () => Promise<unknown>,
): Promise<string[]> {
  await child.call('startProfile')
  await work()
  const taken = await child.call<Profile>('stopProfile')
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name.replace(/\W+/g, '-')}.cpuprofile`, folder), JSON.stringify(taken))

  const placeOf = new Map(taken.nodes.map(({ id, callFrame }) => [id, place(callFrame)]))
  const spent = new Map<string, number>()
  taken.samples.forEach((id, index) => {
    const where = placeOf.get(id) ?? ''
    const micros = taken.timeDeltas[index] ?? 0
    // Taking the profile is not work of the service.
    if (where !== '(idle)' && where !== 'dispatch' && micros <= LATE_MICROS)
      spent.set(where, (spent.get(where) ?? 0) + micros)
  })
  const total = [...spent.values()].reduce((sum, micros) => sum + micros, 0)
  return [...spent]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 30)
    .map(([where, micros]) => `${((100 * micros) / total).toFixed(1).padStart(5)} %  ${where}`)
}

function place({ functionName, url }: ProfileNode['callFrame']): string {
  if (url === '')
    return functionName.startsWith('(') || functionName === 'dispatch' ? functionName : 'compiled into Node'
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (inPackage) return inPackage
  return url.replace(/^.*\/dist\//, '').replace(/^node:internal\/([^/]+).*/, 'node:internal/$1')
}
