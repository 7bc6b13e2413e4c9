import { parseArgs } from 'node:util'
import { entra } from './entra.js'
import { google } from './google.js'
import { okta } from './okta.js'
import type { Vendor } from './vendor.js'

const VENDORS: Record<string, Vendor> = { okta, entra, google }

export const USAGE = [
  'Usage: keyward simulate okta|entra|google --base URL --token TOKEN [--verbose]',
  '',
  'Sends to a SCIM service what the directory of that vendor sends, and says of each step whether the vendor could go on.',
  '  --base     the address of a team: https://id.example.com/scim/v2/acme',
  '  --token    a SCIM token of that team; default: the environment variable SCIM_TOKEN',
  '  --verbose  print every request and its answer',
  '',
  'What it makes is named "simulated" and deleted at the end. The exit code is 0 when every step went well, 1 when one failed, 2 for wrong arguments.',
  '',
].join('\n')

export interface Arguments {
  vendor: Vendor
  /** Without a slash at its end. */
  base: string
  token: string
  verbose: boolean
}

/** @returns what is wrong, in a line, where something is */
export function readArguments(args: string[], env: NodeJS.ProcessEnv): Arguments | { fault: string } {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { base: { type: 'string' }, token: { type: 'string' }, verbose: { type: 'boolean', default: false } },
    })
    const [name = '', ...more] = positionals
    const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined
    if (!vendor || more.length > 0) return { fault: `name one of ${Object.keys(VENDORS).join(', ')}` }
    const base = values.base?.replace(/\/+$/, '')
    if (!base || !/^https?:$/.test(protocolOf(base))) return { fault: '--base must be an http or https address' }
    const token = values.token ?? env.SCIM_TOKEN
    if (!token) return { fault: '--token is missing' }
    return { vendor, base, token, verbose: values.verbose }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

const protocolOf = (address: string): string => (URL.canParse(address) ? new URL(address).protocol : '')
