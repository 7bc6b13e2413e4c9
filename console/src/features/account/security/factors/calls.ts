import { queryOptions } from '@tanstack/react-query'
import { answerOf, member } from '../../../../api/client'
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '../../../../passkeys/credential-json'

/** The two-step methods of the account. */
export const factorsQuery = queryOptions({
  queryKey: ['mine', 'factors'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/mfa/status')),
})

export const devicesQuery = queryOptions({
  queryKey: ['mine', 'devices'],
  queryFn: () => answerOf(member.GET('/api/v1/auth/devices')).then(({ data }) => data),
})

/** Starts the enrollment of an authenticator app, which its first code completes. */
export function startAuthenticator(name: string) {
  return answerOf(member.POST('/api/v1/auth/mfa/enroll/totp', { body: { name } }))
}

export type AuthenticatorSetup = Awaited<ReturnType<typeof startAuthenticator>>

/** @returns the backup codes, if this is the first method */
export async function confirmAuthenticator(methodId: string, code: string): Promise<string[] | undefined> {
  const { backupCodes } = await answerOf(member.POST('/api/v1/auth/mfa/enroll/verify', { body: { methodId, code } }))
  return backupCodes
}

export function newPasskeyOptions() {
  return answerOf(member.GET('/api/v1/auth/mfa/passkey/options')) as Promise<CreationOptions>
}

/** @returns the backup codes, if this is the first method */
export async function addPasskey(credential: Attestation): Promise<string[] | undefined> {
  const { backupCodes } = await answerOf(member.POST('/api/v1/auth/mfa/passkey/enroll', { body: { credential } }))
  return backupCodes
}

/** Starts a reauthentication of the current user with a passkey. */
export function ownPasskeyOptions() {
  return answerOf(member.POST('/api/v1/auth/reauthenticate/options')) as Promise<RequestOptions>
}

export function renameFactor(id: string, name: string) {
  return answerOf(member.PATCH('/api/v1/auth/mfa/methods/{id}', { params: { path: { id } }, body: { name } }))
}

export function removeFactor(id: string) {
  return answerOf(member.DELETE('/api/v1/auth/mfa/methods/{id}', { params: { path: { id } } }))
}

export async function createBackupCodes(): Promise<string[]> {
  return (await answerOf(member.POST('/api/v1/auth/mfa/backup-codes/regenerate'))).backupCodes
}

/** @param enabled true requires verification at unusual sign-ins only, false at every sign-in */
export function setAdaptive(enabled: boolean) {
  return answerOf(member.POST('/api/v1/auth/mfa/adaptive/toggle', { body: { enabled } }))
}

/** Removes all methods. @param proof empty for an account without password and passkey, after a recent sign-in */
export function turnOff(proof: { password?: string; credential?: Assertion }) {
  return answerOf(member.POST('/api/v1/auth/mfa/disable', { body: proof }))
}

export function forgetDevice(id: string) {
  return answerOf(member.DELETE('/api/v1/auth/devices/{id}', { params: { path: { id } } }))
}
