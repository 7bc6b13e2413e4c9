import { fault } from './scim-fault.js'

/** Far more than any directory asks for, and a few hundredths of a second. In characters. */
const MOST = 20_000_000
/** What looking at a value costs beside its characters. */
const LOOK = 16

/**
 * What one request may have read of the values that it is held against. Each of its parts is bounded, but a thousand operations with
 * a hundred conditions each on a hundred long values are not, and nobody else has a turn meanwhile.
 */
export class Work {
  private left = MOST

  /**
   * Takes note of a value that is looked at.
   * @param characters how long it is
   * @throws {ScimFault} `tooMany`
   */
  spend(characters: number): void {
    this.left -= LOOK + characters
    if (this.left < 0)
      throw fault('tooMany', 'The operations compare too much together: send fewer at once, or shorter filters.')
  }
}
