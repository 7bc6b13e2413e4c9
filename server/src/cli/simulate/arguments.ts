import { parseArgs } from 'node:util'
import { entra } from './entra.js'
import { google } from './google.js'
import { okta } from './okta.js'
import type { Vendor } from './vendor.js'

const VENDORS: Record<string, Vendor> = { okta, entra, google }

export const USAGE = [
  'Usage: keyward simulate okta|entra|google --base URL --token TOKEN [--verbose]',
  '',
  'Sends the requests of that SCIM client to a service and reports for each step whether the client could continue.',
  '  --base     the SCIM URL of a team: https://id.example.com/scim/v2/acme',
  '  --token    a SCIM token of that team; default: the environment variable SCIM_TOKEN',
  '  --verbose  print every request and response',
  '',
  'Created resources are named "simulated" and deleted at the end. Exit code: 0 if every step passed, 1 if one failed, 2 for invalid arguments.',
  '',
].join('\n')

export interface Arguments {
  vendor: Vendor
  /** Without a trailing slash. */
  base: string
  token: string
  verbose: boolean
}

/** Parses the arguments; returns a one-line error if they are invalid. */
export function readArguments(args: string[], env: NodeJS.ProcessEnv): Arguments | { failure: string } {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { base: { type: 'string' }, token: { type: 'string' }, verbose: { type: 'boolean', default: false } },
    })
    const [name = '', ...more] = positionals
    const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined
    if (!vendor || more.length > 0) return { failure: `specify one of ${Object.keys(VENDORS).join(', ')}` }
    const base = values.base?.replace(/\/+$/, '')
    if (!base || !/^https?:$/.test(protocolOf(base))) return { failure: '--base must be an http or https URL' }
    const token = values.token ?? env.SCIM_TOKEN
    if (!token) return { failure: '--token is required' }
    return { vendor, base, token, verbose: values.verbose }
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}

const protocolOf = (address: string): string => (URL.canParse(address) ? new URL(address).protocol : '')
