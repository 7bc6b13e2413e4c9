import type { KeyPairKeyObjectResult } from 'node:crypto'
import type { CheapSecrets } from '../src/app.js'

export function resetRsaKeys(): void
export function nextRsaKeyPair(pool?: string, modulusLength?: number): KeyPairKeyObjectResult
export function cheapSecrets(pool: string): Required<CheapSecrets>
