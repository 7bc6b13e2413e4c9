import type { Benchmark } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { loadTable, withRange } from '../harness/report.js'
import { ratio } from '../harness/rounds.js'
import { startAll, withServices } from '../harness/services.js'
import { refreshExchange, registerUsers, renewSessions, walk } from '../harness/users.js'

const USERS = 500
const CONNECTIONS = 8
const EACH = 'an entry for each refresh'
const DAILY = 'one entry in 24 hours'

/** Makes each refresh begin a new period, so that it has an audit entry. */
const RECORD_EACH = `
  CREATE FUNCTION end_period() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.refresh_period_start := NULL; RETURN NEW; END $$;
  CREATE TRIGGER end_period BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION end_period()`

export const auditInsert: Benchmark = {
  name: 'audit-insert',
  title: 'Cost of the audit entry in a refresh',
  async run(settings) {
    const own = { ...settings, against: undefined }
    const services = [...(await startAll(own, ['PostgreSQL'])), ...(await startAll(own, ['PostgreSQL']))]
    return withServices(services, async () => {
      const contenders: Contender[] = []
      for (const [index, { service }] of services.entries()) {
        const users = await registerUsers(service, USERS)
        if (index === 0) await service.sql(RECORD_EACH)
        await renewSessions(service, users)
        const next = walk(users)
        contenders.push({
          name: index === 0 ? EACH : DAILY,
          load: {
            child: service,
            database: service.database,
            connections: CONNECTIONS,
            next: () => refreshExchange(next()),
            // The seals of the entries are part of their cost.
            drain: service.drain,
          },
        })
      }
      const rounds = await compareLoads(contenders, settings)
      const cpu = (name: string) => (rounds.get(name) ?? []).map((sample) => sample.cpu + (sample.database ?? 0))
      const cost = ratio(cpu(EACH), cpu(DAILY))
      return {
        workload: `POST /api/v1/auth/refresh of ${USERS} sessions, ${CONNECTIONS} connections, sealing included. For an entry each time, a trigger in the benchmark's database ends the period of 24 hours.`,
        tables: [loadTable(rounds)],
        aims: [
          {
            what: 'processor time of service and database with an entry each time, compared to one in 24 hours',
            aim: 'more than 1 ×: the entries of refreshes are worth saving',
            measured: `${withRange(cost)} ×`,
            reached: cost.median > 1,
          },
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
