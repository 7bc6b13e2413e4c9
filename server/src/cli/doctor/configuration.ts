import { inspectConfig, isLoopbackHost } from '../../platform/config/config.js'
import { readWarnings } from '../../platform/config/read-warnings.js'
import { type Context, type Found, ok, type Part, problem, warning } from './check.js'

/** As in `engines` of package.json. */
const LEAST_NODE = [20, 19] as const

export const configurationPart: Part = {
  area: 'configuration',
  name: 'settings',
  needs: [],
  run: async (context) => [...settings(context), ...warnings(context), ...listeningAddress(context), nodeVersion()],
}

function settings({ env }: Context): Found[] {
  const { problems } = inspectConfig(env)
  if (problems.length === 0) return [ok('All settings are valid')]
  return problems.map(({ setting, message }) => ({
    name: setting,
    ...problem(message, `Correct ${setting}: keyward --help describes each setting`),
  }))
}

function warnings({ config, env }: Context): Found[] {
  return readWarnings(config, env).map(({ facts, message }) => ({
    name: facts.variable ?? 'settings',
    ...warning(message, facts.variable === facts.setting ? `Change ${facts.setting}` : `Set ${facts.setting} instead`),
  }))
}

/** Warns if only this machine can connect, although the public URL is that of a network. */
function listeningAddress({ config, invalid }: Context): Found[] {
  const { host, loopback, trustProxy, baseUrl } = config
  if (loopback || invalid.has('BASE_URL') || trustProxy !== false || !isLoopbackHost(host)) return []
  const finding = `HOST=${host} accepts only connections from this machine, and TRUST_PROXY=off: other machines reach ${baseUrl} only through a proxy on this machine, which TRUST_PROXY must name`
  const solution = 'Set TRUST_PROXY=loopback for a proxy on this machine; otherwise set HOST=0.0.0.0'
  return [{ name: 'HOST', ...warning(finding, solution) }]
}

function nodeVersion(): Found {
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isSupported = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])
  const least = LEAST_NODE.join('.')
  return {
    name: 'Node.js',
    ...(isSupported
      ? ok(`Version ${node}`)
      : problem(`Version ${node} is not supported`, `Install Node.js ${least} or later`)),
  }
}
