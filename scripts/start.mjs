// `npm start`: build what is stale, then serve in this same process, so that a signal reaches the service itself.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildStale, SERVICE } from './build-stale.mjs'

const onlyAsks = process.argv.slice(2).some((argument) => ['--help', '-h', '--version', '-v'].includes(argument))
try {
  // The other parts are built by processes of their own, while this one loads the modules.
  await buildStale(
    onlyAsks ? { only: ['server'] } : { only: SERVICE, meanwhile: { server: () => import('../server/bundle/app.js') } },
  )
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (!onlyAsks) {
  console.log('Starting …')
  compressLater()
}
await import('../server/bundle/main.js')

/** Compresses the files of the console, if they are not, where that does not delay the service. Until then they are served as they are. */
function compressLater() {
  const program = fileURLToPath(new URL('build-stale.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, 'compressed files of the console'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  child.once('error', () => {})
  try {
    setPriority(child.pid, 19)
  } catch {
    // It has ended, or this system knows no priorities.
  }
  child.unref()
}
