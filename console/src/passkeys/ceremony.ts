import { useSyncExternalStore } from 'react'
import { Problem } from '../api/problem'
import {
  type Assertion,
  type Attestation,
  assertionOf,
  attestationOf,
  type CreationOptions,
  creationOptions,
  type RequestOptions,
  requestOptions,
} from './credential-json'

/** Browsers offer passkeys on https and on localhost only. */
export const passkeysWork = typeof PublicKeyCredential === 'function'

/** `passkeysWork` for pages that the server renders: true until the page is hydrated. */
export const usePasskeysWork = (): boolean =>
  useSyncExternalStore(
    () => () => {},
    () => passkeysWork,
    () => true,
  )

/** Whether passkeys can stand among the saved passwords that a field offers. */
export async function autofillWorks(): Promise<boolean> {
  return passkeysWork && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)
}

// A browser has one request for a passkey at a time, and refuses a second one while the first waits.
let waiting: AbortController | null = null

/** Ends the request that waits, such as the one behind a sign-in form that was left. */
export function endRequest() {
  waiting?.abort()
  waiting = null
}

/** @returns null where nothing came of it: cancelled, timed out, ended by another request */
async function run(ask: (signal: AbortSignal) => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  endRequest()
  const mine = new AbortController()
  waiting = mine
  try {
    return (await ask(mine.signal)) as PublicKeyCredential | null
  } catch (thrown) {
    const { name } = thrown as Error
    // The browser says the same of a dialog that was cancelled, of one that ran out of time and of a passkey that is not there.
    if (name === 'AbortError' || name === 'NotAllowedError') return null
    throw new Problem({ code: name === 'InvalidStateError' ? 'passkey_exists' : 'passkey_failed' })
  } finally {
    if (waiting === mine) waiting = null
  }
}

/**
 * Asks for a proof by a passkey.
 * @param autofill waits, without a dialog, until one is chosen among the saved passwords of a field
 * @returns null where the visitor cancelled, or another request took over
 * @throws Problem where the browser cannot do it at all
 */
export async function askForPasskey(options: RequestOptions, { autofill = false } = {}): Promise<Assertion | null> {
  const found = await run((signal) =>
    navigator.credentials.get({
      publicKey: requestOptions(options),
      signal,
      ...(autofill && { mediation: 'conditional' }),
    }),
  )
  return found && assertionOf(found)
}

/**
 * Makes a passkey.
 * @returns null where the visitor cancelled
 * @throws Problem `passkey_exists` where this device has one of the account already
 */
export async function makePasskey(options: CreationOptions): Promise<Attestation | null> {
  const made = await run((signal) => navigator.credentials.create({ publicKey: creationOptions(options), signal }))
  return made && attestationOf(made)
}
