import { createHmac } from 'node:crypto'
import type { KeyRing } from '../../../platform/crypto/key-ring.js'

/** 16 bytes: enough to find the entries of an address, which are then decrypted. */
const BYTES = 16

/** Returns the keyed hash of an IP address in a log. Another log has another hash, so that logs cannot be compared. */
export const ipHash = (keys: KeyRing, chain: string, ip: string): Buffer =>
  createHmac('sha256', keys.current('audit_lookup').key).update(`ip ${chain} ${ip}`).digest().subarray(0, BYTES)
