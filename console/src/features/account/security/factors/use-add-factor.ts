import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, type Problem } from '../../../../api/problem'
import { session } from '../../../../api/session'
import m from '../../../../messages/en/factors.json'
import { reportUnknown } from '../../../../passkeys/accepted'
import { makePasskey } from '../../../../passkeys/ceremony'
import type { Attestation } from '../../../../passkeys/credential-json'
import { announce } from '../../../../ui/document/announcer'
import type { Guarded } from '../use-reauthentication'
import {
  type AuthenticatorSetup,
  addPasskey,
  confirmAuthenticator,
  newPasskeyOptions,
  removeFactor,
  startAuthenticator,
} from './calls'

type Kind = 'TOTP' | 'PASSKEY'

interface Options {
  guarded: Guarded
  /** called when a method was added and its backup codes, if any, are saved */
  added: (kind: Kind) => void
}

/** Adds a passkey or an authenticator app, including the backup codes of the first method. */
export function useAddFactor({ guarded, added }: Options) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState<Kind | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [cancelled, setCancelled] = useState(false)
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null)
  const [codes, setCodes] = useState<{ kind: Kind; codes: string[] } | null>(null)

  async function attempt(kind: Kind, work: () => Promise<void>) {
    setBusy(kind)
    setProblem(null)
    setCancelled(false)
    try {
      await work()
    } catch (thrown) {
      setProblem(asProblem(thrown))
    } finally {
      setBusy(null)
    }
  }

  async function finish(kind: Kind, found: string[] = []) {
    session.factorAdded()
    setSetup(null)
    if (found.length > 0) setCodes({ kind, codes: found })
    await queries.invalidateQueries({ queryKey: ['mine'] })
    if (found.length === 0) added(kind)
  }

  async function enrol(made: Attestation) {
    try {
      return await guarded(() => addPasskey(made))
    } catch (thrown) {
      // The browser has stored it already and would offer it in vain.
      reportUnknown(made.id)
      throw thrown
    }
  }

  return {
    busy,
    problem,
    cancelled,
    setup,
    codes: codes?.codes ?? null,

    startAuthenticator: (name: string) =>
      attempt('TOTP', async () => setSetup(await guarded(() => startAuthenticator(name)))),

    startPasskey: () =>
      attempt('PASSKEY', async () => {
        const made = await makePasskey(await guarded(newPasskeyOptions))
        if (made) return finish('PASSKEY', await enrol(made))
        setCancelled(true)
        announce(m.passkeyCancelled())
      }),

    /** @throws Problem if the code is wrong */
    async confirmAuthenticator(code: string) {
      if (!setup) return
      const found = await guarded(() => confirmAuthenticator(setup.methodId, code))
      await finish('TOTP', found ?? setup.backupCodes)
    },

    /** Cancels the setup of an authenticator app. */
    cancelAuthenticator() {
      if (!setup) return
      setSetup(null)
      // If this fails, the service deletes the pending method later.
      removeFactor(setup.methodId).catch(() => {})
    },

    codesStored() {
      if (!codes) return
      setCodes(null)
      added(codes.kind)
    },
  }
}

export type AddFactor = ReturnType<typeof useAddFactor>
