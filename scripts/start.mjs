// `npm start`: builds stale parts, then runs the service in the same process, so that it receives signals directly.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildStale, SERVICE } from './build-stale.mjs'

const args = process.argv.slice(2)
/** Whether the service starts; other commands need only the program. */
const starts =
  args.length === 0 || (args[0] === 'start' && !args.some((argument) => ['--help', '-h'].includes(argument)))
try {
  // Other processes build the other parts while this one loads the modules.
  await buildStale(
    starts ? { only: SERVICE, meanwhile: { server: () => import('../server/bundle/app.js') } } : { only: ['server'] },
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (starts) {
  if (!args.includes('--json')) console.log('Starting …')
  compressLater()
}
await import('../server/bundle/main.js')

/** Compresses stale files of the console in a low-priority process. Until then the service sends them uncompressed. */
function compressLater() {
  const program = fileURLToPath(new URL('build-stale.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, 'compressed files of the console'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.once('error', () => {})
  try {
    setPriority(child.pid, 19)
  } catch {
    // The process has exited, or the system does not support priorities.
  }
  child.unref()
}
