import type { KeyObject } from 'node:crypto'

/** The audience, request, time and encryption recipient of the SAML peer's messages (undefined: its own service provider). */
interface WrittenFor {
  now: number
  sp: string
  acs: string
  request: string
  recipient: KeyObject | undefined
}

const AT_FIRST: WrittenFor = {
  now: Date.UTC(2026, 5, 1, 12),
  sp: 'https://sp.example/metadata',
  acs: 'https://sp.example/acs',
  request: '_request-1',
  recipient: undefined,
}

export let { now: NOW, sp: SP, acs: ACS, request: REQUEST, recipient: RECIPIENT } = AT_FIRST

/** Sets another service provider, request and time for the peer's messages. */
export function writeFor({ now, sp, acs, request, recipient }: WrittenFor): void {
  NOW = now
  SP = sp
  ACS = acs
  REQUEST = request
  RECIPIENT = recipient
}

export const writeAsAtFirst = (): void => writeFor(AT_FIRST)
