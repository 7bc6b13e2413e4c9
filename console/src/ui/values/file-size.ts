const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Returns the size of a file such as "8.1 MB", in units of 1,000 bytes. */
export function fileSize(bytes: number): string {
  const exponent = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes) / 3)))
  const unit = UNITS[exponent] ?? 'byte'
  const format = new Intl.NumberFormat('en', {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: exponent > 1 ? 1 : 0,
  })
  return format.format(bytes / 1_000 ** exponent)
}
