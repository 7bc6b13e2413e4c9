import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { serverVersion } from './database.js'
import { versionOf } from './server-library.js'

/** What the figures were measured on. */
export async function describeMachine(): Promise<Record<string, string>> {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    processor: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${process.platform} ${release()}`,
    node: process.versions.node,
    postgresql: await serverVersion().catch(() => 'not reachable'),
    pglite: versionOf('@electric-sql/pglite'),
    load: loadavg()
      .map((value) => value.toFixed(2))
      .join(' '),
  }
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', 'server/src') ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}
