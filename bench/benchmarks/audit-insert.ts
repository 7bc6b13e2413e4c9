import type { Benchmark } from '../harness/benchmark.js'
import { type Contender, compareLoads } from '../harness/compare-loads.js'
import { loadTable, withRange } from '../harness/report.js'
import { ratio } from '../harness/rounds.js'
import { startAll, withServices } from '../harness/services.js'
import { refreshExchange, registerUsers, renewSessions, walk } from '../harness/users.js'

const USERS = 500
const CONNECTIONS = 8
const ON = 'audit on'
const OFF = 'audit off'

/** Turns audit entries off in the benchmark's database: the statement is sent but inserts no row. */
const SWITCH_OFF = `
  CREATE FUNCTION record_nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
  CREATE TRIGGER record_nothing BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION record_nothing()`

export const auditInsert: Benchmark = {
  name: 'audit-insert',
  title: 'Cost of the audit entry in a token request',
  async run(settings) {
    const own = { ...settings, against: undefined }
    const services = [...(await startAll(own, ['PostgreSQL'])), ...(await startAll(own, ['PostgreSQL']))]
    return withServices(services, async () => {
      const contenders: Contender[] = []
      for (const [index, { service }] of services.entries()) {
        const users = await registerUsers(service, USERS)
        if (index > 0) await service.sql(SWITCH_OFF)
        await renewSessions(service, users)
        const next = walk(users)
        contenders.push({
          name: index === 0 ? ON : OFF,
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
      const cost = ratio(cpu(ON), cpu(OFF))
      return {
        workload: `POST /api/v1/auth/refresh of ${USERS} sessions, ${CONNECTIONS} connections, sealing included. Off: a trigger in the benchmark's database drops the entry; its statement is still sent.`,
        tables: [loadTable(rounds)],
        aims: [
          {
            what: 'processor time of service and database with the audit entry, compared to without',
            aim: '≤ 1.5 ×',
            measured: `${withRange(cost)} ×`,
            reached: cost.median <= 1.5,
          },
        ],
        rounds: Object.fromEntries(rounds),
      }
    })
  },
}
