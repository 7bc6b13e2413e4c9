import type { Page } from 'playwright-core'
import { devtoolsOf } from './devtools'

interface Credential {
  credentialId: string
  isResidentCredential: boolean
  rpId?: string
  privateKey: string
  userHandle?: string
  signCount: number
  backupEligibility?: boolean
  backupState?: boolean
}

/** A security key or a platform authenticator, as the browser sees it. */
export interface VirtualAuthenticator {
  /** whether the user touches it at the next request; pending requests are not affected */
  touched(present: boolean): Promise<void>
  /** whether it recognizes the user */
  recognises(verified: boolean): Promise<void>
  credentials(): Promise<Credential[]>
  put(credential: Credential): Promise<void>
  remove(): Promise<void>
}

interface Options {
  /** it can verify the user */
  verifies?: boolean
  touched?: boolean
  synced?: boolean
}

export async function plugIn(page: Page, options: Options = {}): Promise<VirtualAuthenticator> {
  const { verifies = true, touched = true, synced = false } = options
  const session = await devtoolsOf(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifies,
      isUserVerified: verifies,
      automaticPresenceSimulation: touched,
      defaultBackupEligibility: synced,
      defaultBackupState: synced,
    },
  })
  return {
    touched: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    recognises: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    put: async (credential) => {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
