// The service under test in a process of its own, from the built program in BENCH_BUILD. Its parent asks it over IPC.
import { answerParent } from './answer-parent.mjs'

const built = (file) => import(new URL(`dist/${file}.js`, process.env.BENCH_BUILD))
const { createApp } = await built('app')
const { systemClock } = await built('platform/clock')
const { readConfig } = await built('platform/config/config')
const { createLogger } = await built('platform/log')
const { openService } = await built('service')

const config = readConfig()
const service = await openService({ config, log: createLogger(config), clock: systemClock, createApp })

answerParent({
  // Beside the service, for what no route can do: the embedded database lets nobody else in.
  sql: async ({ text, values }) => (await service.database.pool.query(text, values)).rows,
  close: () => service.close(),
})
process.send({ port: await service.listen(0) })
