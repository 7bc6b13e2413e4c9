// The measured service in its own process, started from the build in BENCH_BUILD. The parent sends commands over IPC.
import { serveParent } from './answer-parent.mjs'

const built = (file) => import(new URL(`dist/${file}.js`, process.env.BENCH_BUILD))
const { createApp } = await built('app')
const { systemClock } = await built('platform/clock')
const { readConfig } = await built('platform/config/config')
const { createLogger } = await built('platform/log')
const { openService } = await built('service')

const config = readConfig()
const service = await openService({ config, log: createLogger(config), clock: systemClock, createApp })

serveParent({
  // For changes that no route makes: the embedded database accepts no connection from another process.
  sql: async ({ text, values }) => (await service.database.pool.query(text, values)).rows,
  close: () => service.close(),
})
process.send({ port: await service.listen(0) })
