/**
 * Returns a part of a whole, between 0 and 1. Rounded down to whole percents, or to `digits` digits: 100 % means all.
 * A part of nothing is 0.
 */
export function roundedShare(part: number, whole: number, digits = 2): number {
  if (whole === 0) return 0
  const unit = 10 ** digits
  // The product can be below a whole number because of its binary fraction, as 0.29 * 100.
  return Math.floor((part * unit) / whole) / unit
}
