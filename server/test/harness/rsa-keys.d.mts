import type { KeyPairKeyObjectResult } from 'node:crypto'
import type { HashCost } from '../../src/platform/crypto/password-hash.js'
import type { GenerateRsaKeyPair } from '../../src/platform/crypto/rsa-key-pair.js'

export function resetRsaKeys(): void
export function nextRsaKeyPair(pool?: string, modulusLength?: number): KeyPairKeyObjectResult
export function keyPairsTaken(pool: string, modulusLength?: number): number
export function rejectedRsaKeyPair(why: 'bits' | 'exponent'): KeyPairKeyObjectResult
/** The type of the `lowCost` option of `createApp`. */
export function lowCostSecrets(pool: string): { hashCost: HashCost; generateRsaKeyPair: GenerateRsaKeyPair }
