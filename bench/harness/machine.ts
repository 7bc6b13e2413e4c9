import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { serverVersion } from './database.js'
import { versionOf } from './server-library.js'

/**
 * Describes the machine and the software versions of a run.
 * @param build the `server` folder of the measured build, which may be in another checkout
 */
export async function describeMachine(build: URL): Promise<Record<string, string>> {
  return {
    date: new Date().toISOString(),
    commit: commit(fileURLToPath(build)),
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

function commit(cwd: string): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', 'src') ? ' with changes' : ''}`
  } catch {
    return 'unknown'
  }
}
