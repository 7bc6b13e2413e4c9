import type { ServerFacts } from '../../platform/db/inspect-server.js'
import { counted } from '../text.js'
import { type Context, type Finding, type Found, notChecked, ok, problem, warning } from './check.js'

type Limits = Pick<ServerFacts, 'maxConnections' | 'reserved' | 'roleLimit' | 'databaseLimit' | 'usedByOthers'>

/** Returns whether the connections of all nodes fit into those of the server. */
export function assessConnections(
  limits: Limits,
  { config, invalid, nodes }: Pick<Context, 'config' | 'invalid' | 'nodes'>,
): Found {
  if (invalid.has('DATABASE_POOL')) return { name: 'connections', ...notChecked(['DATABASE_POOL']) }
  return { name: 'connections', ...assess(limits, nodes, config.databasePool) }
}

function assess(limits: Limits, nodes: number, pool: number): Finding {
  const { maxConnections, reserved, roleLimit, databaseLimit, usedByOthers } = limits
  const needed = nodes * pool
  const shared = maxConnections - reserved
  const available = Math.min(shared, ...[roleLimit, databaseLimit].filter((limit) => limit >= 0))
  const sum = `${counted(nodes, 'node')} × DATABASE_POOL ${pool} = ${needed} connections`
  const total =
    available === shared
      ? `${available} (max_connections ${maxConnections} - ${reserved} reserved)`
      : `${available} (the connection limit of the role or the database)`
  const finding = `${sum} of ${total}; others use ${usedByOthers}`
  if (needed > available)
    return problem(
      finding,
      `Set DATABASE_POOL to at most ${Math.floor(available / nodes)}, or raise max_connections or the limit`,
    )
  if (needed + usedByOthers > shared)
    return warning(finding, 'Lower DATABASE_POOL, or raise max_connections: others use a part of the connections')
  return ok(finding)
}
