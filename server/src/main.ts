import { setFlagsFromString } from 'node:v8'
import { systemClock } from './platform/clock.js'
import { ConfigError, readConfig } from './platform/config/config.js'
import { helpText } from './platform/config/help.js'
import { createLogger, type Logger } from './platform/log.js'
import { VERSION } from './platform/version.js'
import type { Service } from './service.js'

// By default V8 optimizes most of PostgreSQL during startup, which delays it by a second. With this budget, frequently used code is
// still optimized, slightly later.
setFlagsFromString('--wasm-tiering-budget=20000000')

/** Runs the command: none (serve), `--help`, `--version`, `simulate`. */
async function main(): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument === '--help' || argument === '-h') return void process.stdout.write(helpText())
  if (argument === '--version' || argument === '-v') return void process.stdout.write(`${VERSION}\n`)
  if (argument === 'simulate') {
    const { simulate } = await import('./cli/simulate/index.js')
    process.exitCode = await simulate(process.argv.slice(3), (output) => process.stdout.write(output))
    return
  }
  if (argument !== undefined) throw new ConfigError([`Unknown argument ${argument}; try --help`])

  const config = readConfig()
  const log = createLogger(config)
  // Loaded after the configuration, so that an invalid setting is reported at once; the app loads while the database opens.
  const app = import('./app.js')
  // `createApp` below awaits it and throws its failure, when the database can be closed.
  app.catch(() => {})
  const { openService } = await import('./service.js')
  const service = await openService({
    config,
    log,
    clock: systemClock,
    createApp: async (parts) => (await app).createApp(parts),
  })
  registerShutdown(service, log)
  await service.listen()
  process.stdout.write(welcome(config.baseUrl, config.dataDir, !config.smtpUrl))
}

function welcome(baseUrl: string, dataDir: string, outbox: boolean): string {
  const mail = outbox ? `  Mails:  each is a file in ${dataDir}/outbox (set SMTP_URL to send them)\n` : ''
  return `\n  Keyward is ready.\n  Open:   ${baseUrl}\n  API:    ${baseUrl}/docs\n${mail}  Stop:   Ctrl+C\n\n`
}

/** Milliseconds for requests in flight after a stop signal. */
const DRAIN_MS = 25_000

/** Handles SIGTERM and SIGINT: stops accepting, completes requests in flight, closes the database. A second signal exits at once. */
function registerShutdown(service: Service, log: Logger): void {
  let ending = false
  const end = async (why: string, code: number) => {
    if (ending) process.exit(1)
    ending = true
    log.info({ why }, 'stopping')
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    await service.close().catch((error: unknown) => log.error({ err: error }, 'closing failed'))
    process.exit(code)
  }
  process.on('SIGTERM', () => void end('SIGTERM', 0))
  process.on('SIGINT', () => void end('SIGINT', 0))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void end('uncaughtException', 1)
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    void end('unhandledRejection', 1)
  })
  void service.crashed.then((error) => {
    log.fatal({ err: error }, 'the embedded database crashed; restart the service, no acknowledged write is lost')
    void end('database', 1)
  })
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || (error instanceof Error && error.message.split('\n').length === 1)
  process.stderr.write(
    known ? `${(error as Error).message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`,
  )
  process.exit(1)
})
