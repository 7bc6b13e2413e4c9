import { setTimeout as delay } from 'node:timers/promises'
import { SECOND, systemClock } from './platform/clock.js'
import { type Config, readConfig } from './platform/config/config.js'
import { readWarnings } from './platform/config/read-warnings.js'
import { createLogger, type Logger } from './platform/log.js'
import { VERSION } from './platform/version.js'
import type { Service } from './service.js'

type SetupHint = NonNullable<Awaited<ReturnType<Service['createSetupLink']>>>

/**
 * Starts the service, prints where to open it, and handles signals until the process ends.
 * @param migrate whether to migrate an older schema; otherwise it is an error
 * @param asJson whether to print one line of JSON instead of text
 * @throws ConfigError or OperationalError for what an operator can correct
 */
export async function start({ migrate, asJson }: { migrate: boolean; asJson: boolean }): Promise<void> {
  const config = readConfig()
  const log = createLogger(config)
  for (const { facts, message } of readWarnings(config)) log.warn(facts, message)
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
    migrate,
  })
  registerShutdown(service, log, config.drainSeconds)
  await service.listen().catch(async (error: unknown) => {
    await service.close()
    throw error
  })
  const setup = await service.createSetupLink().catch((error: unknown) => log.warn({ err: error }, 'no setup link'))
  // Never through the logger: the setup link makes its holder the administrator of the instance.
  process.stdout.write(
    asJson ? `${JSON.stringify(readyData(config, setup || undefined))}\n` : welcome(config, setup || undefined),
  )
}

function welcome(config: Config, setup: SetupHint | undefined): string {
  const { baseUrl, dataDir, smtpUrl } = config
  const mail = smtpUrl ? '' : `  Mails:  each is a file in ${dataDir}/outbox (set SMTP_URL to send them)\n`
  const open = `  Open:   ${baseUrl}\n  API:    ${baseUrl}/docs\n`
  return `\n  Keyward is ready.\n${open}${setup ? setupText(setup, config) : ''}${mail}  Stop:   Ctrl+C\n\n`
}

function setupText(setup: SetupHint, config: Config): string {
  if (setup !== 'by_mail')
    return `  Setup:  ${setup.link}\n          (appoints the administrator; valid once, for 15 minutes; a restart prints a new link)\n`
  return `  Setup:  ${setupCommand(config)}\n          (mails the administrator a sign-in link; works once)\n`
}

function setupCommand({ baseUrl, setupSecret }: Config): string {
  const secret = setupSecret ? ' -H "x-setup-secret: $SETUP_SECRET"' : ''
  return `curl -X POST ${baseUrl}/api/v1/onboard${secret} -H 'Content-Type: application/json' -d '{"adminEmail": "you@example.com"}'`
}

function readyData(config: Config, setup: SetupHint | undefined): Record<string, string | null> {
  const { baseUrl, dataDir, smtpUrl } = config
  return {
    url: baseUrl,
    docsUrl: `${baseUrl}/docs`,
    version: VERSION,
    setupLink: setup && setup !== 'by_mail' ? setup.link : null,
    setupCommand: setup === 'by_mail' ? setupCommand(config) : null,
    outbox: smtpUrl ? null : `${dataDir}/outbox`,
  }
}

/** Milliseconds for requests in flight and running jobs after the listener has closed. */
const COMPLETION_MS = 20_000
/** Milliseconds after a signal in which another one does not force the exit: npm forwards a signal that its process group receives too. */
const REPEATED_SIGNAL_MS = 1_000

/**
 * Handles SIGTERM and SIGINT: stops accepting, completes requests in flight, closes the database. Before that, SIGTERM drains the node for
 * DRAIN_SECONDS. Another signal, more than a second after the first, exits at once.
 */
function registerShutdown(service: Service, log: Logger, drainSeconds: number): void {
  let endedAt: number | undefined
  const end = async (why: string, code: number, drainMs = 0) => {
    if (endedAt !== undefined) {
      if (why.startsWith('SIG') && performance.now() - endedAt < REPEATED_SIGNAL_MS) return
      process.exit(1)
    }
    endedAt = performance.now()
    log.info({ why, drainMs }, 'stopping')
    setTimeout(() => process.exit(1), drainMs + COMPLETION_MS).unref()
    service.drain()
    if (drainMs > 0) await delay(drainMs)
    await service.close().catch((error: unknown) => log.error({ err: error }, 'closing failed'))
    process.exit(code)
  }
  process.on('SIGTERM', () => void end('SIGTERM', 0, drainSeconds * SECOND))
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
    log.fatal({ err: error }, 'the embedded database has stopped; restart the service')
    void end('database', 1)
  })
}
