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

/** Browsers offer passkeys on https and localhost only. */
export const passkeysWork = typeof PublicKeyCredential === 'function'

/** `passkeysWork` for pages that the server renders: true until the page is hydrated. */
export const usePasskeysWork = (): boolean =>
  useSyncExternalStore(
    () => () => {},
    () => passkeysWork,
    () => true,
  )

/** Returns true if the autofill of a field can offer passkeys. */
export async function autofillWorks(): Promise<boolean> {
  return passkeysWork && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false)
}

// A browser handles one passkey request at a time, and rejects a second one.
let waiting: AbortController | null = null

/** Cancels the pending request, such as the autofill of a sign-in form. */
export function endRequest() {
  waiting?.abort()
  waiting = null
}

/** @returns null if the request was cancelled, timed out, or was replaced */
async function run(ask: (signal: AbortSignal) => Promise<Credential | null>): Promise<PublicKeyCredential | null> {
  endRequest()
  const mine = new AbortController()
  waiting = mine
  try {
    return (await ask(mine.signal)) as PublicKeyCredential | null
  } catch (thrown) {
    const { name } = thrown as Error
    // Browsers report a cancelled dialog, a timeout and a missing passkey with the same error.
    if (name === 'AbortError' || name === 'NotAllowedError') return null
    throw new Problem({ code: name === 'InvalidStateError' ? 'passkey_exists' : 'passkey_failed' })
  } finally {
    if (waiting === mine) waiting = null
  }
}

/**
 * Requests an assertion.
 * @param autofill waits, without a dialog, until the user chooses a passkey in a field
 * @returns null if the user cancelled, or another request replaced it
 * @throws Problem if the browser does not support passkeys
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

/** Creates a passkey. @returns null if the user cancelled @throws Problem `passkey_exists` if this device already has one of the account */
export async function makePasskey(options: CreationOptions): Promise<Attestation | null> {
  const made = await run((signal) => navigator.credentials.create({ publicKey: creationOptions(options), signal }))
  return made && attestationOf(made)
}
