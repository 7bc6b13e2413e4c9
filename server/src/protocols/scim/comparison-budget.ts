import { invalidRequest } from './scim-error.js'

/** Far more than any client requires, and a few hundredths of a second. In characters. */
const MOST = 20_000_000
/** The fixed cost of a comparison. */
const FIXED_COST = 16

/**
 * Limits the comparisons of one request. Its parts are limited individually, but a thousand operations with a hundred conditions each on
 * a hundred long values would block the event loop.
 */
export class ComparisonBudget {
  private left = MOST

  /**
   * Charges one comparison.
   * @param characters the length of the compared value
   * @throws {ScimError} `tooMany`
   */
  spend(characters: number): void {
    this.left -= FIXED_COST + characters
    if (this.left < 0)
      throw invalidRequest(
        'tooMany',
        'The operations require too many comparisons: send fewer at once, or shorter filters.',
      )
  }
}
